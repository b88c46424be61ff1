package dev.glovebox.sandbox.spi;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes a tar stream that tells nothing about this host: no owner, no links, no devices.
 *
 * <p>The format is ustar, with a PAX header before each member whose name does not fit that.
 */
public final class TarWriter {

    private static final int BLOCK = 512;
    private static final int LONGEST_NAME = 100;
    private static final int FILE = 0666;
    private static final int DIRECTORY = 0755;
    private static final int PERMISSIONS = 0777;
    // What eleven octal digits hold. A program can set any time on its files, and some readers stop
    // at times far away, so that nobody would get at the other files.
    private static final long LAST_SECOND = 077777777777L;

    private final OutputStream out;

    public TarWriter(OutputStream out) {
        this.out = out;
    }

    public void directory(String path, Instant modified) throws IOException {
        member('5', path + "/", DIRECTORY, modified, new byte[0]);
    }

    public void file(String path, Instant modified, int mode, byte[] content) throws IOException {
        member('0', path, mode & PERMISSIONS, modified, content);
    }

    /** Ends the archive; the stream stays open. */
    public void finish() throws IOException {
        out.write(new byte[2 * BLOCK]);
        out.flush();
    }

    private void member(char type, String name, int mode, Instant modified, byte[] content)
            throws IOException {
        boolean fits = name.length() <= LONGEST_NAME && name.chars().allMatch(c -> c < 0x80);
        if (!fits) {
            block('x', "PaxHeader", FILE, Instant.EPOCH, record("path", name));
        }
        block(type, fits ? name : standIn(name), mode, modified, content);
    }

    /** For readers that do not know PAX. */
    private static String standIn(String name) {
        String ascii = name.replaceAll("[^ -~]", "_");
        return ascii.substring(0, Math.min(ascii.length(), LONGEST_NAME));
    }

    /**
     * A PAX record starts with its length in bytes, which counts the digits of the length itself.
     */
    private static byte[] record(String key, String value) {
        String rest = " " + key + "=" + value + "\n";
        int size = rest.getBytes(StandardCharsets.UTF_8).length;
        int length = size;
        while (length != size + Integer.toString(length).length()) {
            length = size + Integer.toString(length).length();
        }
        return (length + rest).getBytes(StandardCharsets.UTF_8);
    }

    private void block(char type, String name, int mode, Instant modified, byte[] content)
            throws IOException {
        byte[] header = new byte[BLOCK];
        put(header, 0, name);
        put(header, 100, octal(mode, 7));
        put(header, 108, octal(0, 7));
        put(header, 116, octal(0, 7));
        put(header, 124, octal(content.length, 11));
        put(header, 136, octal(Math.clamp(modified.getEpochSecond(), 0, LAST_SECOND), 11));
        put(header, 156, String.valueOf(type));
        put(header, 257, "ustar\0" + "00");
        // The checksum counts its own field as spaces.
        Arrays.fill(header, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte one : header) {
            sum += one;
        }
        put(header, 148, octal(sum, 6) + "\0");
        out.write(header);
        out.write(content);
        out.write(new byte[Math.floorMod(-content.length, BLOCK)]);
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }

    private static String octal(long value, int digits) {
        String text = Long.toOctalString(value);
        return "0".repeat(digits - text.length()) + text;
    }
}
