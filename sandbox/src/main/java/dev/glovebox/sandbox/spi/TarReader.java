package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.FileRefused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files and directories of a tar stream that nobody vouches for.
 *
 * <p>A damaged archive is an {@link IOException}, a sound one with a member that is not taken a
 * {@link FileRefused}. Where readers of tar differ in what they see, the archive counts as damaged.
 */
public final class TarReader {

    /**
     * A file, or a directory without content; {@code path} is relative, without {@code .} parts.
     */
    public record Member(String path, boolean directory, boolean executable, byte[] content) {

        public int mode() {
            return executable ? 0755 : 0644;
        }
    }

    private static final int BLOCK = 512;
    private static final int MODE = 100;
    private static final int OWNER_EXECUTES = 0100;
    // Bounds the work, not the room: empty files take none of that.
    static final int MOST_HEADERS = 1 << 18;
    // Linux keeps up to 64 KiB in one extended attribute, and archives carry those.
    private static final int LARGEST_EXTENSION = 256 * 1024;
    static final int LARGEST_FILE = Integer.MAX_VALUE - 8;
    // PATH_MAX: no program in the box could open a longer one.
    private static final int LONGEST_PATH = 4096;
    private static final int LONGEST_SHOWN = 200;

    private static final int NAME = 0;
    private static final int NAME_SIZE = 100;
    private static final int SIZE = 124;
    private static final int SIZE_SIZE = 12;
    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_SIZE = 8;
    private static final int TYPE = 156;
    private static final int MAGIC = 257;
    private static final int PREFIX = 345;
    private static final int PREFIX_SIZE = 155;

    private final InputStream in;
    private long room;
    private int headers;
    private boolean ended;
    // What extension headers said about the member after them.
    private @Nullable String nextName;
    private @Nullable Long nextSize;

    /**
     * @param room the archive's files together may not be larger
     */
    public TarReader(InputStream in, long room) {
        this.in = in;
        this.room = room;
    }

    /** Reads up to the end of the next member; null after the last. */
    public @Nullable Member next() throws IOException {
        while (!ended) {
            byte[] header = take(BLOCK);
            if (Arrays.equals(header, new byte[BLOCK])) {
                ended = true;
                if (nextName != null || nextSize != null) {
                    throw damaged("its last header describes a file that does not follow");
                }
                break;
            }
            headers++;
            if (headers > MOST_HEADERS) {
                throw new FileRefused(
                        "The archive has more than " + MOST_HEADERS + " headers: send it in parts");
            }
            if (number(header, CHECKSUM, CHECKSUM_SIZE) != checksum(header)) {
                throw damaged("the checksum is wrong");
            }
            Member member = read(header);
            if (member != null) {
                return member;
            }
        }
        return null;
    }

    private @Nullable Member read(byte[] header) throws IOException {
        long size = number(header, SIZE, SIZE_SIZE);
        return switch (header[TYPE]) {
            case '0', '\0', '7' -> member(header, size, false);
            case '5' -> member(header, size, true);
            case 'L' -> {
                String name = latin(extension(size));
                rename(name.endsWith("\0") ? name.substring(0, name.length() - 1) : name);
                yield null;
            }
            case 'x' -> {
                extend(latin(extension(size)));
                yield null;
            }
            case 'g' -> {
                extension(size);
                yield null;
            }
            case '1' -> throw refused(header, "a hard link");
            case '2', 'K' -> throw refused(header, "a symbolic link");
            case '3', '4' -> throw refused(header, "a device");
            case '6' -> throw refused(header, "a FIFO");
            case 'S' -> throw refused(header, "a sparse file");
            default -> throw refused(header, "of the unknown type " + (header[TYPE] & 0xff));
        };
    }

    private @Nullable Member member(byte[] header, long headerSize, boolean typedDirectory)
            throws IOException {
        String name = name(header);
        long size = nextSize != null ? nextSize : headerSize;
        nextName = null;
        nextSize = null;
        // Before ustar, a slash at the end of the name was the mark of a directory.
        boolean directory = typedDirectory || name.endsWith("/");
        if (directory && size != 0) {
            throw damaged("the directory " + shown(name) + " has content");
        }
        if (directory && (name.equals("./") || name.equals("."))) {
            return null;
        }
        String path =
                plain(
                        directory && name.endsWith("/")
                                ? name.substring(0, name.length() - 1)
                                : name);
        if (size > room || size > LARGEST_FILE) {
            throw new FileRefused(
                    shown(name) + " in the archive is larger than what is left of the box's disk");
        }
        room -= size;
        boolean executable = (number(header, MODE, 8) & OWNER_EXECUTES) != 0;
        return new Member(path, directory, executable, padded((int) size));
    }

    private String name(byte[] header) throws IOException {
        if (nextName != null) {
            return nextName;
        }
        String name = field(header, NAME, NAME_SIZE);
        // Other formats, GNU's own among them, keep other things in the place of the prefix.
        boolean ustar = latin(Arrays.copyOfRange(header, MAGIC, MAGIC + 6)).equals("ustar\0");
        String prefix = ustar ? field(header, PREFIX, PREFIX_SIZE) : "";
        return utf8(prefix.isEmpty() ? name : prefix + "/" + name);
    }

    private static String plain(String name) {
        String path = name.startsWith("./") ? name.substring(2) : name;
        boolean plain = path.indexOf('\0') < 0 && path.length() <= LONGEST_PATH;
        for (String part : path.split("/", -1)) {
            plain &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
        }
        if (!plain) {
            throw new FileRefused(shown(name) + " in the archive is not a plain relative path");
        }
        return path;
    }

    /** Takes in the records of a PAX header, each {@code length key=value\n}. */
    private void extend(String records) throws IOException {
        for (int at = 0; at < records.length(); ) {
            int space = records.indexOf(' ', at);
            long length = space < 0 ? 0 : decimal(records.substring(at, space));
            if (length > records.length() - at || length <= space - at + 1) {
                throw damaged("a PAX record has a wrong length");
            }
            int end = at + (int) length;
            String record = records.substring(space + 1, end);
            int equals = record.indexOf('=');
            if (equals < 0 || !record.endsWith("\n")) {
                throw damaged("a PAX record is not 'key=value'");
            }
            extend(record.substring(0, equals), record.substring(equals + 1, record.length() - 1));
            at = end;
        }
    }

    private void extend(String key, String value) throws IOException {
        if (key.equals("path")) {
            rename(value);
        } else if (key.equals("size")) {
            if (nextSize != null) {
                throw damaged("a file has two sizes");
            }
            nextSize = decimal(value);
        } else if (key.startsWith("GNU.sparse.")) {
            throw new FileRefused(
                    "The archive has a sparse file: pack it without tar's option --sparse");
        }
    }

    private void rename(String latin) throws IOException {
        if (nextName != null) {
            throw damaged("a file has two long names");
        }
        nextName = utf8(latin);
    }

    private byte[] extension(long size) throws IOException {
        if (size > LARGEST_EXTENSION) {
            throw damaged("an extension header of " + size + " bytes is too large");
        }
        return padded((int) size);
    }

    private byte[] padded(int size) throws IOException {
        byte[] content = take(size);
        take(Math.floorMod(-size, BLOCK));
        return content;
    }

    /**
     * Memory grows with what arrives: {@code readNBytes} promises not to allocate by what we ask
     * for.
     */
    private byte[] take(int size) throws IOException {
        byte[] bytes = in.readNBytes(size);
        if (bytes.length < size) {
            throw damaged("it ends in the middle");
        }
        return bytes;
    }

    private static long checksum(byte[] header) {
        long sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            boolean itself = i >= CHECKSUM && i < CHECKSUM + CHECKSUM_SIZE;
            sum += itself ? ' ' : header[i] & 0xff;
        }
        return sum;
    }

    private long number(byte[] header, int at, int size) throws IOException {
        if (header[at] < 0) {
            return binary(header, at, size);
        }
        String digits = field(header, at, size).strip();
        if (digits.isEmpty()) {
            return 0;
        }
        if (!digits.matches("[0-7]+")) {
            throw damaged("a number is not octal");
        }
        return Long.parseLong(digits, 8);
    }

    /** GNU's form for numbers that do not fit: the byte 0x80 and a big-endian number. */
    private long binary(byte[] header, int at, int size) throws IOException {
        long value = 0;
        boolean fits = header[at] == (byte) 0x80;
        for (int i = at + 1; i < at + size; i++) {
            fits &= value <= Long.MAX_VALUE >> Byte.SIZE;
            value = (value << Byte.SIZE) | (header[i] & 0xff);
        }
        if (!fits) {
            throw damaged("a number is negative or out of range");
        }
        return value;
    }

    private long decimal(String digits) throws IOException {
        if (!digits.matches("[0-9]{1,18}")) {
            throw damaged("a number is not decimal or out of range");
        }
        return Long.parseLong(digits);
    }

    private static String field(byte[] header, int at, int size) {
        String field = latin(Arrays.copyOfRange(header, at, at + size));
        int end = field.indexOf('\0');
        return end < 0 ? field : field.substring(0, end);
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Strict: two names that differ in bytes must not become one. */
    private String utf8(String latin) throws IOException {
        byte[] bytes = latin.getBytes(StandardCharsets.ISO_8859_1);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw damaged("the name " + shown(latin) + " is not UTF-8");
        }
    }

    private FileRefused refused(byte[] header, String what) throws IOException {
        return new FileRefused(
                shown(name(header))
                        + " in the archive is "
                        + what
                        + ": only files and directories are taken");
    }

    private IOException damaged(String how) {
        String where =
                headers == 1
                        ? "not an uncompressed tar, or damaged"
                        : "damaged at header " + headers;
        return new IOException("The archive is " + where + ": " + how);
    }

    private static String shown(String name) {
        String cut = name.length() > LONGEST_SHOWN ? name.substring(0, LONGEST_SHOWN) + "…" : name;
        return "'" + cut.replaceAll("\\p{Cntrl}", "?") + "'";
    }
}
