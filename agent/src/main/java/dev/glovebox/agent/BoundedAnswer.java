package dev.glovebox.agent;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * An answer that ends with an error when it becomes too long: a line without an end would fill the
 * memory before anybody has seen a word of it.
 */
final class BoundedAnswer extends FilterInputStream {

    // A word of an answer takes some 300 bytes of a stream, and no model writes 200,000 of them.
    private static final long LONGEST = 64L << 20;
    private static final int LONGEST_LINE = 4 << 20;

    private long length;
    private int line;

    BoundedAnswer(InputStream answer) {
        super(answer);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int most) throws IOException {
        int count = super.read(into, from, most);
        for (int i = from; i < from + count; i++) {
            line = into[i] == '\n' ? 0 : line + 1;
            if (line > LONGEST_LINE) {
                throw new IOException("A line of the answer is longer than " + LONGEST_LINE);
            }
        }
        length += Math.max(count, 0);
        if (length > LONGEST) {
            throw new IOException("The answer is longer than " + LONGEST + " bytes");
        }
        return count;
    }
}
