package dev.glovebox.trace;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, raw and in lower-case hexadecimal. */
public final class Digests {

    /** How many hexadecimal digits a digest has. */
    public static final int LENGTH = 64;

    private static final HexFormat HEX = HexFormat.of();

    private Digests() {}

    static MessageDigest sha256() {
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

    /** Whether a text is 64 lower-case hexadecimal digits. */
    public static boolean valid(String text) {
        return text.length() == LENGTH
                && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }
}
