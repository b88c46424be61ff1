package dev.glovebox.trace;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * A line of an export with some of the content of a blob.
 *
 * @param salt empty if it is not salted
 */
record BlobPart(String digest, byte[] data, long part, long parts, byte[] salt) {

    /** How much content is in a line that is not the last one of its blob. */
    static final int SIZE = 512 * 1024;

    private static final byte[] BLOB = ascii("{\"blob\":\"");
    private static final byte[] DATA = ascii("\",\"data\":\"");
    private static final byte[] PART = ascii("\",\"part\":");
    private static final byte[] PARTS = ascii(",\"parts\":");
    private static final byte[] SALT = ascii(",\"salt\":\"");

    /** In how many lines content of this length stands. */
    static long parts(long bytes) {
        return Math.max(1, (bytes + SIZE - 1) / SIZE);
    }

    /** Whether a line can only be one of these. */
    static boolean begins(byte[] line) {
        return new CanonicalScanner(line).took(BLOB);
    }

    byte[] line() {
        ByteText out = new ByteText();
        out.add(BLOB);
        out.ascii(digest);
        out.add(DATA);
        out.add(Base64.getEncoder().encode(data));
        out.add(PART);
        out.ascii(Long.toString(part));
        out.add(PARTS);
        out.ascii(Long.toString(parts));
        if (salt.length > 0) {
            out.add(SALT);
            out.ascii(HexFormat.of().formatHex(salt));
            out.add('"');
        }
        out.add('}');
        return out.bytes();
    }

    /**
     * Reads a line.
     *
     * @throws Malformed if the bytes are not exactly one of these
     */
    static BlobPart read(byte[] line) {
        CanonicalScanner scanner = new CanonicalScanner(line);
        scanner.expect(BLOB);
        String digest = upToQuote(line, scanner);
        scanner.expect(DATA);
        byte[] data = base64(line, scanner);
        scanner.expect(PART);
        long part = scanner.integer();
        scanner.expect(PARTS);
        long parts = scanner.integer();
        byte[] salt = {};
        if (scanner.took(SALT)) {
            String hex = upToQuote(line, scanner);
            if (!Digests.valid(hex)) {
                throw scanner.broken("a salt that is not 64 hexadecimal digits");
            }
            salt = HexFormat.of().parseHex(hex);
            scanner.took('"');
        }
        if (!scanner.took('}')) {
            throw scanner.broken("a member that parts of blobs do not have");
        }
        scanner.end();
        return new BlobPart(digest, data, part, parts, salt);
    }

    private static String upToQuote(byte[] line, CanonicalScanner scanner) {
        int from = scanner.at();
        int to = quote(line, from);
        scanner.skip(to - from);
        return new String(line, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static byte[] base64(byte[] line, CanonicalScanner scanner) {
        int from = scanner.at();
        int to = quote(line, from);
        byte[] data;
        try {
            ByteBuffer decoded = Base64.getDecoder().decode(ByteBuffer.wrap(line, from, to - from));
            data = Arrays.copyOfRange(decoded.array(), 0, decoded.limit());
        } catch (IllegalArgumentException e) {
            throw scanner.broken("not Base64");
        }
        // Java forgives a missing end, and bits there that mean nothing.
        int last = data.length % 3;
        byte[] end =
                Base64.getEncoder()
                        .encode(Arrays.copyOfRange(data, data.length - last, data.length));
        boolean exact =
                to - from == (data.length + 2) / 3 * 4
                        && Arrays.equals(line, to - end.length, to, end, 0, end.length);
        if (!exact) {
            throw scanner.broken("Base64 that is not in its one right form");
        }
        scanner.skip(to - from);
        return data;
    }

    private static int quote(byte[] line, int from) {
        int to = from;
        while (to < line.length && line[to] != '"') {
            to++;
        }
        return to;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
