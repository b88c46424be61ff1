package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The events that the server sends while a command runs, each of bounded size. */
final class Events implements Closeable {

    private static final int LONGEST = 256 << 10;
    private static final int BUFFER = 64 << 10;

    private final InputStream in;
    private final byte[] buffer = new byte[BUFFER];
    private int at;
    private int end;

    Events(InputStream in) {
        this.in = in;
    }

    /** The next event; null after the last. */
    @Nullable JsonNode next() throws IOException {
        for (String line = line(); line != null; line = line()) {
            String event = line.startsWith("data:") ? line.substring(5).strip() : line.strip();
            if (event.startsWith("{")) {
                try {
                    return Wire.JSON.readTree(event);
                } catch (JacksonException e) {
                    throw ServerTrouble.nonsense("an event that is no JSON");
                }
            }
            // What else is in such a stream, names of events and comments, tells nothing.
        }
        return null;
    }

    private @Nullable String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            if (at == end) {
                at = 0;
                end = Math.max(0, in.read(buffer));
                if (end == 0) {
                    return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
                }
            }
            int from = at;
            while (at < end && buffer[at] != '\n') {
                at++;
            }
            line.write(buffer, from, at - from);
            if (line.size() > LONGEST) {
                throw ServerTrouble.nonsense("an event without end");
            }
            if (at < end) {
                at++;
                return line.toString(StandardCharsets.UTF_8);
            }
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
