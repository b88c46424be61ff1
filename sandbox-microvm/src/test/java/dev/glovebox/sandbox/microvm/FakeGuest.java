package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** A guest whose agent says whatever a test wants it to say. */
final class FakeGuest implements Link.Guest {

    private final SocketChannel host;
    private final SocketChannel inside;
    private final CountDownLatch killed = new CountDownLatch(1);

    FakeGuest(Path folder) throws IOException {
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("agent"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address);
            inside = SocketChannel.open(address);
            host = server.accept();
        }
    }

    @Override
    public SocketChannel agent() {
        return host;
    }

    @Override
    public void kill() {
        Machine.quietly(inside);
        killed.countDown();
    }

    @Override
    public void close() {
        kill();
        Machine.quietly(host);
    }

    boolean wasKilled() throws InterruptedException {
        return killed.await(20, TimeUnit.SECONDS);
    }

    /** Hears what the host says, and keeps nothing of it. */
    void listen() {
        answer(number -> {});
    }

    /** Treats all that the host asks for in the same way. */
    void answer(IntConsumer how) {
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        while (true) {
                            ByteBuffer head = fill(ByteBuffer.allocate(5));
                            char kind = (char) head.get();
                            byte[] body = fill(ByteBuffer.allocate(head.getInt())).array();
                            if (kind == 'c') {
                                how.accept(new ObjectMapper().readTree(body).path("id").asInt());
                            }
                        }
                    } catch (IOException e) {
                        // Killed.
                    }
                });
    }

    private ByteBuffer fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (inside.read(buffer) < 0) {
                throw new IOException("the host is gone");
            }
        }
        return buffer.flip();
    }

    /** Says bytes; whether they are heard is another matter. */
    void say(byte[] bytes) {
        try {
            for (ByteBuffer out = ByteBuffer.wrap(bytes); out.hasRemaining(); ) {
                inside.write(out);
            }
        } catch (IOException e) {
            // Killed for what it has said before.
        }
    }

    void frame(char kind, byte[] body) {
        say(
                ByteBuffer.allocate(5 + body.length)
                        .put((byte) kind)
                        .putInt(body.length)
                        .put(body)
                        .array());
    }

    void frame(char kind, String body) {
        frame(kind, body.getBytes(StandardCharsets.UTF_8));
    }

    /** A frame about a program or a request. */
    void frame(char kind, int number, byte[] body) {
        frame(kind, ByteBuffer.allocate(4 + body.length).putInt(number).put(body).array());
    }
}
