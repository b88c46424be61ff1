package dev.glovebox.trace;

import java.util.Arrays;

/** UTF-8 text that grows. */
final class ByteText {

    private byte[] bytes = new byte[512];
    private int size;

    /** Makes it empty again. */
    ByteText clear() {
        size = 0;
        return this;
    }

    int size() {
        return size;
    }

    void add(char ascii) {
        room(1);
        bytes[size++] = (byte) ascii;
    }

    void add(byte[] text) {
        add(text, 0, text.length);
    }

    void add(byte[] text, int from, int length) {
        room(length);
        System.arraycopy(text, from, bytes, size, length);
        size += length;
    }

    void ascii(String text) {
        ascii(text, text.length());
    }

    /** Adds what a text begins with. */
    @SuppressWarnings("deprecation") // the one way to take ASCII without a detour
    void ascii(String text, int length) {
        room(length);
        text.getBytes(0, length, bytes, size);
        size += length;
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

    byte[] bytes() {
        return Arrays.copyOf(bytes, size);
    }

    private void room(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
