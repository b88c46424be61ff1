package dev.glovebox.trace;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** Takes lines from a stream that may be endless, and holds no more of it than one line needs. */
final class Lines {

    private static final int BLOCK = 256 * 1024;

    private final InputStream in;
    private final MessageDigest digest = Digests.sha256();
    private byte[] buffer = new byte[BLOCK];
    private int from;
    private int to;
    // What was given out last and is not in the digest yet.
    private int given;

    Lines(InputStream in) {
        this.in = in;
    }

    /** Whether there is nothing more. */
    boolean atEnd() throws IOException {
        return from == to && !fill();
    }

    /** The next line, without its line feed. */
    byte[] next() throws IOException {
        int end = lineEnd();
        byte[] line = Arrays.copyOfRange(buffer, from, end);
        give(end + 1);
        return line;
    }

    /** The next few lines, at least one, and so many at most. */
    Block block(long most) throws IOException {
        int end = lineEnd() + 1;
        int count = 1;
        while (count < most) {
            int next = lineFeed(end);
            if (next < 0) {
                break;
            }
            end = next + 1;
            count++;
        }
        byte[] block = Arrays.copyOfRange(buffer, from, end);
        give(end);
        return new Block(block, count);
    }

    /** Some lines, each with its line feed. */
    record Block(byte[] bytes, int count) {}

    /** The digest of all lines but the last one that was taken. */
    String digestBefore() {
        return HexFormat.of().formatHex(digest.digest());
    }

    private void give(int end) {
        digest.update(buffer, from - given, given);
        given = end - from;
        from = end;
    }

    private int lineEnd() throws IOException {
        int end = lineFeed(from);
        while (end < 0) {
            int searched = to - from;
            if (searched > Entry.LONGEST) {
                throw Broken.because("a line is longer than " + Entry.LONGEST + " bytes");
            }
            if (!fill()) {
                throw Broken.because("the file is cut off");
            }
            end = lineFeed(from + searched);
        }
        if (end - from > Entry.LONGEST) {
            throw Broken.because("a line is longer than " + Entry.LONGEST + " bytes");
        }
        return end;
    }

    private int lineFeed(int start) {
        for (int i = start; i < to; i++) {
            if (buffer[i] == '\n') {
                return i;
            }
        }
        return -1;
    }

    private boolean fill() throws IOException {
        digest.update(buffer, from - given, given);
        given = 0;
        int length = to - from;
        byte[] target = length > buffer.length / 2 ? new byte[buffer.length * 2] : buffer;
        System.arraycopy(buffer, from, target, 0, length);
        buffer = target;
        from = 0;
        to = length;
        int read = in.read(buffer, to, buffer.length - to);
        to += Math.max(read, 0);
        return read > 0;
    }
}
