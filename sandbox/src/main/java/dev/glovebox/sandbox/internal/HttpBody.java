package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** How much of a connection is the body of an HTTP/1 message. */
sealed interface HttpBody {

    /** As many bytes as this. */
    record Sized(long length) implements HttpBody {}

    /** Pieces, each with its length. */
    record Chunked() implements HttpBody {}

    /** Nothing says it: a request has none then, an answer goes on to the end. */
    record Unsaid() implements HttpBody {}

    /** There is none, whatever the fields say: an answer to HEAD, say. */
    record None() implements HttpBody {}

    int BUFFER = 16 * 1024;
    int LONGEST_LINE = 1024;
    Pattern SIZE = Pattern.compile("([0-9a-fA-F]{1,8})([ \\t]*;.*)?");

    /** The field that tells it to the other side. */
    default List<HttpHead.Field> fields() {
        return switch (this) {
            case Sized(long length) ->
                    List.of(new HttpHead.Field("Content-Length", Long.toString(length)));
            case Chunked() -> List.of(new HttpHead.Field("Transfer-Encoding", "chunked"));
            case Unsaid(), None() -> List.of();
        };
    }

    /**
     * Moves exactly the body.
     *
     * @throws Refused if it is not well-formed
     */
    default void move(InputStream in, OutputStream out) throws IOException, Refused {
        switch (this) {
            case Sized(long length) -> move(in, out, length);
            case Chunked() -> moveChunks(in, out);
            case Unsaid(), None() -> {}
        }
    }

    private static void move(InputStream in, OutputStream out, long length) throws IOException {
        byte[] buffer = new byte[(int) Math.min(BUFFER, Math.max(1, length))];
        for (long left = length; left > 0; ) {
            int size = in.read(buffer, 0, (int) Math.min(left, buffer.length));
            if (size < 0) {
                throw new IOException("the body ends too early");
            }
            out.write(buffer, 0, size);
            left -= size;
        }
    }

    /** Each piece is written anew, without extensions; so are the fields at the end left out. */
    private static void moveChunks(InputStream in, OutputStream out) throws IOException, Refused {
        while (true) {
            var line = SIZE.matcher(line(in));
            if (!line.matches()) {
                throw Refused.unclear("a piece of its body has no length");
            }
            long size = Long.parseLong(line.group(1), 16);
            write(out, Long.toHexString(size));
            if (size == 0) {
                break;
            }
            move(in, out, size);
            if (!line(in).isEmpty()) {
                throw Refused.unclear("a piece of its body is longer than it says");
            }
            write(out, "");
        }
        for (int left = HttpHead.MOST_BYTES; ; ) {
            int size = line(in).length();
            left -= size + 2;
            if (size == 0) {
                break;
            }
            if (left < 0) {
                throw Refused.unclear("the fields behind its body are too long");
            }
        }
        write(out, "");
    }

    private static String line(InputStream in) throws IOException, Refused {
        return HttpHead.line(in, LONGEST_LINE)
                .orElseThrow(() -> new IOException("the body ends too early"));
    }

    private static void write(OutputStream out, String line) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
    }
}
