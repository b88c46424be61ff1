package dev.glovebox.trace;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/** SHA-256, raw and in lower-case hexadecimal. */
public final class Digests {

    /** How many hexadecimal digits a digest has. */
    public static final int LENGTH = 64;

    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VALUES = values();
    private static final MessageDigest FRESH = found();

    private Digests() {}

    static MessageDigest sha256() {
        try {
            // Quicker than to look for it among the providers each time.
            return (MessageDigest) FRESH.clone();
        } catch (CloneNotSupportedException e) {
            return found();
        }
    }

    private static MessageDigest found() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    public static byte[] raw(byte[]... parts) {
        MessageDigest digest = sha256();
        for (byte[] part : parts) {
            digest.update(part);
        }
        return digest.digest();
    }

    public static String hex(byte[]... parts) {
        return HEX.formatHex(raw(parts));
    }

    /** Writes a digest somewhere, in hexadecimal digits. */
    static void put(byte[] raw, byte[] text, int from) {
        for (int i = 0; i < raw.length; i++) {
            text[from + 2 * i] = DIGITS[raw[i] >> 4 & 0xf];
            text[from + 2 * i + 1] = DIGITS[raw[i] & 0xf];
        }
    }

    /** Whether a text is 64 lower-case hexadecimal digits. */
    public static boolean valid(String text) {
        if (text.length() != LENGTH) {
            return false;
        }
        for (int i = 0; i < LENGTH; i++) {
            if (digit(text.charAt(i)) < 0) {
                return false;
            }
        }
        return true;
    }

    /** Whether hexadecimal digits that stand somewhere are those of a digest. */
    static boolean matches(byte[] text, int from, byte[] raw) {
        for (int i = 0; i < raw.length; i++) {
            int high = digit(text[from + 2 * i]);
            int low = digit(text[from + 2 * i + 1]);
            if ((high << 4 | low) != (raw[i] & 0xff)) {
                return false;
            }
        }
        return true;
    }

    /** The value of a lower-case hexadecimal digit; negative for anything else. */
    static int digit(int c) {
        return c >= 0 && c < VALUES.length ? VALUES[c] : -1;
    }

    // A table, since the branches that it saves are the ones that a processor cannot predict.
    private static byte[] values() {
        byte[] values = new byte[128];
        Arrays.fill(values, (byte) -1);
        for (int i = 0; i < 16; i++) {
            values[DIGITS[i]] = (byte) i;
        }
        return values;
    }
}
