package dev.glovebox.trace;

import java.util.Arrays;

/** UTF-8 text that grows; for one thread. */
public final class ByteText {

    private static final int FIRST_ROOM = 256;
    private static final int LONGEST_NUMBER = 19;
    private static final int LONGEST_QUOTED = 1 << 16;

    private byte[] bytes = new byte[FIRST_ROOM];
    private int size;

    /** Makes it empty again. */
    public ByteText clear() {
        size = 0;
        return this;
    }

    /** How many bytes there are. */
    public int size() {
        return size;
    }

    /** Adds a character that is ASCII. */
    public void add(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
    }

    /** Adds text that is UTF-8 already. */
    public void add(byte[] text) {
        add(text, 0, text.length);
    }

    /** Adds some of a text that is UTF-8 already. */
    public void add(byte[] text, int from, int length) {
        room(length);
        System.arraycopy(text, from, bytes, size, length);
        size += length;
    }

    /** Adds all of another one. */
    public void add(ByteText text) {
        add(text.bytes, 0, text.size);
    }

    /** Adds a text that is ASCII; any other would not be right. */
    @SuppressWarnings("deprecation") // the one way to take it without a detour
    public void ascii(String text) {
        int length = text.length();
        room(length);
        text.getBytes(0, length, bytes, size);
        size += length;
    }

    /** Adds a number in decimal digits. */
    public void number(long value) {
        if (value < 0) {
            ascii(Long.toString(value));
            return;
        }
        room(LONGEST_NUMBER);
        int digits = 1;
        for (long rest = value; rest > 9; rest /= 10) {
            digits++;
        }
        size += digits;
        long rest = value;
        for (int at = size - 1; at >= size - digits; at--) {
            bytes[at] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    /**
     * Adds a text as a JSON string, if it is not very long and made of ASCII without rare control
     * characters, as most are.
     *
     * @return whether it is; if not, nothing is added
     */
    public boolean quoted(String text) {
        int length = text.length();
        if (length > LONGEST_QUOTED) {
            return false;
        }
        // Each of them may need a backslash.
        room(2 * length + 2);
        int at = size;
        bytes[at++] = '"';
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= ' ' && c < 0x80 && c != '"' && c != '\\') {
                bytes[at++] = (byte) c;
            } else {
                char escape = escape(c);
                if (escape == 0) {
                    return false;
                }
                bytes[at++] = '\\';
                bytes[at++] = (byte) escape;
            }
        }
        bytes[at++] = '"';
        size = at;
        return true;
    }

    /** What stands behind the backslash for a character; 0 if it has no short form. */
    static char escape(char c) {
        return switch (c) {
            case '"', '\\' -> c;
            case '\b' -> 'b';
            case '\f' -> 'f';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 0;
        };
    }

    void codePoint(int c) {
        room(4);
        if (c < 0x800) {
            bytes[size++] = (byte) (0xc0 | c >> 6);
        } else if (c < 0x10000) {
            bytes[size++] = (byte) (0xe0 | c >> 12);
            bytes[size++] = (byte) (0x80 | (c >> 6 & 0x3f));
        } else {
            bytes[size++] = (byte) (0xf0 | c >> 18);
            bytes[size++] = (byte) (0x80 | (c >> 12 & 0x3f));
            bytes[size++] = (byte) (0x80 | (c >> 6 & 0x3f));
        }
        bytes[size++] = (byte) (0x80 | (c & 0x3f));
    }

    /** A copy of all that was added. */
    public byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
