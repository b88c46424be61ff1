package dev.glovebox.sandbox.spi;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in lower-case hexadecimal. */
public final class Digests {

    private Digests() {}

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256", e);
        }
    }

    public static String hex(byte[] bytes) {
        return hex(sha256(), bytes);
    }

    public static String hex(MessageDigest digest, byte[]... parts) {
        for (byte[] part : parts) {
            digest.update(part);
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
