package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Talks to QEMU itself; its answers are bounded in size and time, since a guest may have taken it
 * over.
 */
final class Qmp implements AutoCloseable {

    private static final int LONGEST = 1 << 20;
    private static final int MOST_EVENTS = 1000;
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ObjectMapper json = new ObjectMapper();
    private final SocketChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(8192).flip();

    Qmp(SocketChannel channel) throws IOException {
        this.channel = channel;
        within(PATIENCE, this::line);
        execute("qmp_capabilities", Map.of());
    }

    JsonNode execute(String command, Map<String, ?> arguments) throws IOException {
        return within(PATIENCE, () -> exchange(command, arguments));
    }

    private interface Exchange<T> {
        T run() throws IOException;
    }

    /** Closes the channel of a QEMU that does not answer; whoever waits then fails. */
    private synchronized <T> T within(Duration most, Exchange<T> exchange) throws IOException {
        CompletableFuture<Void> over = new CompletableFuture<>();
        var _ =
                over.orTimeout(most.toMillis(), TimeUnit.MILLISECONDS)
                        .exceptionally(late -> {
                            Machine.quietly(channel);
                            return null;
                        });
        try {
            return exchange.run();
        } finally {
            over.complete(null);
        }
    }

    private JsonNode exchange(String command, Map<String, ?> arguments) throws IOException {
        byte[] request = json.writeValueAsBytes(Map.of("execute", command, "arguments", arguments));
        for (ByteBuffer out = ByteBuffer.wrap(request); out.hasRemaining(); ) {
            channel.write(out);
        }
        for (int i = 0; i < MOST_EVENTS; i++) {
            JsonNode answer = json.readTree(line());
            if (answer.has("return")) {
                return answer.get("return");
            }
            if (answer.has("error")) {
                String why = answer.path("error").path("desc").asText();
                throw new IOException(
                        command + " failed: " + why.substring(0, Math.min(why.length(), 200)));
            }
        }
        throw new IOException("QEMU does not answer to " + command);
    }

    /** Asks until the status is one of these. */
    String await(String command, Duration most, String... wanted) throws IOException {
        long deadline = System.nanoTime() + most.toNanos();
        while (System.nanoTime() < deadline) {
            String status = execute(command, Map.of()).path("status").asText();
            for (String one : wanted) {
                if (one.equals(status)) {
                    return status;
                }
            }
            try {
                Thread.sleep(2);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted", e);
            }
        }
        throw new IOException(command + " did not come to " + String.join(" or ", wanted));
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (line.size() < LONGEST) {
            if (!buffer.hasRemaining()) {
                buffer.clear();
                int size = channel.read(buffer);
                buffer.flip();
                if (size < 0) {
                    throw new IOException("QEMU has ended");
                }
            }
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    return line.toString(StandardCharsets.UTF_8);
                }
                line.write(next);
            }
        }
        throw new IOException("QEMU says too much in one line");
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
