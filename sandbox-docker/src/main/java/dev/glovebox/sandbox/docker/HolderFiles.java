package dev.glovebox.sandbox.docker;

import static dev.glovebox.sandbox.spi.ScratchPath.checked;
import static dev.glovebox.sandbox.spi.ScratchPath.shown;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.FileTrees;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The scratch of a box, served by its holder.
 *
 * <p>The attack: a program plants a link, a FIFO or a device where we are going to read or write.
 * The defence: whoever reads and writes is in the box itself, with no more rights than the program,
 * follows no link and touches regular files only; what it answers is bounded, and is bytes to us.
 */
final class HolderFiles implements BoxFiles {

    private static final int PIECE = 1 << 20;
    private static final int FILE_MODE = 0644;
    private static final int TYPE = 0170000;
    private static final int PERMISSIONS = 07777;

    private final Holder holder;
    private final long room;
    private final FileTrees trees;

    HolderFiles(Holder holder, long room) {
        this.holder = holder;
        this.room = room;
        this.trees = new FileTrees(this, this::write, room, FileTrees.MOST_FILES);
    }

    private byte[] ask(String path, String word, byte[]... fields) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.writeBytes(word.getBytes(StandardCharsets.US_ASCII));
        for (byte[] field : fields) {
            out.write(0);
            out.writeBytes(field);
        }
        return holder.ask(out.toByteArray(), refusal -> refused(path, refusal));
    }

    private static FileRefused refused(String path, String word) {
        String message =
                shown(path)
                        + switch (word) {
                            case "notregular" -> " is not a regular file";
                            case "notplain" -> " is not a regular file with one name";
                            case "toolarge" -> " is larger than the box's disk";
                            case "toodeep" -> " is nested too deeply";
                            default -> ": " + (word.matches("[A-Z0-9]{1,20}") ? word : "EIO");
                        };
        return word.equals("ENOENT") ? FileRefused.missing(message) : new FileRefused(message);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public byte[] read(String path) {
        long most = Math.min(room, FileTrees.LARGEST_FILE);
        return ask(path, "read", utf8(checked(path)), utf8(Long.toString(most)));
    }

    /** The result files among these. */
    ResultFiles readAll(List<String> paths) {
        return trees.read(paths);
    }

    @Override
    public void write(String path, byte[] content) {
        write(path, content, FILE_MODE);
    }

    private void write(String path, byte[] content, int mode) {
        checked(path);
        if (content.length > room) {
            throw refused(path, "toolarge");
        }
        int done = 0;
        do {
            int size = Math.min(PIECE, content.length - done);
            String how = done == 0 ? Integer.toString(mode) : "+";
            ask(
                    path,
                    "write",
                    utf8(path),
                    utf8(how),
                    Arrays.copyOfRange(content, done, done + size));
            done += size;
        } while (done < content.length);
    }

    @Override
    public void makeDirectory(String path) {
        ask(path, "mkdir", utf8(checked(path)));
    }

    @Override
    public Entry stat(String path) {
        List<Entry> found =
                entries(path, parentPrefix(path), ask(path, "stat", utf8(checked(path))));
        if (found.size() != 1) {
            throw refused(path, "EIO");
        }
        return found.getFirst();
    }

    private static String parentPrefix(String path) {
        return path.substring(0, path.lastIndexOf('/') + 1);
    }

    @Override
    public List<Entry> list(String path) {
        String folder = path.isEmpty() ? "" : checked(path);
        List<Entry> found =
                entries(path, path.isEmpty() ? "" : path + "/", ask(path, "list", utf8(folder)));
        found.sort(Comparator.comparing(Entry::path));
        return List.copyOf(found);
    }

    /** Reads {@code mode size seconds name}, each ended by a zero byte. */
    private static List<Entry> entries(String path, String prefix, byte[] answer) {
        List<Entry> found = new ArrayList<>();
        int start = 0;
        for (int at = 0; at < answer.length; at++) {
            if (answer[at] == 0) {
                found.add(entry(path, prefix, Arrays.copyOfRange(answer, start, at)));
                start = at + 1;
            }
        }
        return found;
    }

    private static Entry entry(String path, String prefix, byte[] line) {
        String[] fields = new String(line, StandardCharsets.UTF_8).split(" ", 4);
        if (fields.length != 4
                || !fields[0].matches("\\d{1,9}")
                || !fields[1].matches("\\d{1,18}")
                || !fields[2].matches("-?\\d{1,18}")) {
            throw refused(path, "EIO");
        }
        String name = fields[3];
        byte[] raw = Arrays.copyOfRange(line, line.length - bytesOfName(line), line.length);
        int mode = Integer.parseInt(fields[0]);
        Kind kind =
                switch (mode & TYPE) {
                    case 0100000 -> Kind.FILE;
                    case 0040000 -> Kind.DIRECTORY;
                    case 0120000 -> Kind.LINK;
                    default -> Kind.OTHER;
                };
        long seconds =
                Math.clamp(
                        Long.parseLong(fields[2]),
                        Instant.MIN.getEpochSecond(),
                        Instant.MAX.getEpochSecond());
        Entry entry =
                new Entry(
                        prefix + name,
                        kind,
                        Long.parseLong(fields[1]),
                        mode & PERMISSIONS,
                        Instant.ofEpochSecond(seconds));
        return Arrays.equals(utf8(name), raw) ? entry : entry.unnamed();
    }

    private static int bytesOfName(byte[] line) {
        int spaces = 0;
        int at = 0;
        while (spaces < 3) {
            if (line[at++] == ' ') {
                spaces++;
            }
        }
        return line.length - at;
    }

    @Override
    public void move(String from, String to) {
        ask(from, "move", utf8(checked(from)), utf8(checked(to)));
    }

    @Override
    public void delete(String path) {
        ask(path, "delete", utf8(checked(path)));
    }

    @Override
    public void putTree(String directory, InputStream tar) {
        trees.put(directory, tar);
    }

    @Override
    public void getTree(String directory, OutputStream tar) {
        trees.get(directory, tar);
    }
}
