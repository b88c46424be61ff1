package dev.glovebox.sandbox.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Answers every connection with the same bytes and keeps what it was sent. */
final class OneAnswerServer implements AutoCloseable {

    static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    private final ServerSocket listening =
            new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final String answer;

    OneAnswerServer(String answer) throws IOException {
        this.answer = answer;
        Thread.ofVirtual().start(this::serve);
    }

    private void serve() {
        try {
            while (true) {
                Socket socket = listening.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            return; // closed
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            socket.setSoTimeout(300);
            socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
            heard.add(readAll(socket.getInputStream()));
        } catch (IOException e) {
            heard.add("broken: " + e.getMessage());
        }
    }

    /** All that comes until the end, or until nothing comes any more. */
    static String readAll(InputStream in) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                all.write(next);
            }
        } catch (IOException e) {
            return all.toString(ISO_8859_1);
        }
        return all.toString(ISO_8859_1);
    }

    int port() {
        return listening.getLocalPort();
    }

    String heard() throws InterruptedException {
        return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
    }

    /** What was heard, or null where nobody spoke to it, as far as one sees in a moment. */
    @Nullable String heardSoon() throws InterruptedException {
        return heard.poll(50, TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
