package dev.glovebox.sandbox;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is kept of an output stream: all of it, or its first and last part.
 *
 * @param head the first bytes
 * @param tail the last bytes, empty unless something between was dropped
 * @param total how many bytes the program wrote
 * @param digest SHA-256 of all bytes written, in hexadecimal
 */
public record Output(byte[] head, byte[] tail, long total, String digest) {

    /** Whether a middle part was dropped. */
    public boolean truncated() {
        return total > (long) head.length + tail.length;
    }

    /** The kept bytes; where the output was truncated, the last part follows the first directly. */
    public byte[] bytes() {
        byte[] all = Arrays.copyOf(head, head.length + tail.length);
        System.arraycopy(tail, 0, all, head.length, tail.length);
        return all;
    }

    /** The kept bytes as text; bytes that are not UTF-8 become the replacement character. */
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }
}
