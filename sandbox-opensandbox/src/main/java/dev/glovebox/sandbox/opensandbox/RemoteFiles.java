package dev.glovebox.sandbox.opensandbox;

import static dev.glovebox.sandbox.spi.ScratchPath.checked;
import static dev.glovebox.sandbox.spi.ScratchPath.shown;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.TarReader;
import dev.glovebox.sandbox.spi.TarWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The scratch directory of a box, through the server's file interface.
 *
 * <p>Links are looked for before each step, since the server follows them; one that a program
 * plants in between leads to another file of the same box, and never out of it.
 */
final class RemoteFiles implements BoxFiles {

    private static final int LONGEST_PATH = 4096;
    // In all of a tree; a single listing is bounded by its size.
    private static final int MOST_ENTRIES = 1 << 17;
    // For all result files together.
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int DEEPEST = 200;
    // What a server's JSON has in place of bytes that are no text: two names would become one.
    private static final char REPLACEMENT = '\ufffd';

    private final Execd execd;
    private final String scratch;
    private final Bytes disk;
    private final BooleanSupplier closed;

    RemoteFiles(Execd execd, String scratch, Bytes disk, BooleanSupplier closed) {
        this.execd = execd;
        this.scratch = scratch;
        this.disk = disk;
        this.closed = closed;
    }

    private interface Request<T> {
        T send() throws IOException;
    }

    private <T> T ask(String path, Request<T> request) {
        if (closed.getAsBoolean()) {
            throw new BoxGone("The box is closed");
        }
        try {
            return request.send();
        } catch (ServerTrouble e) {
            if (e.gone()) {
                throw new BoxGone("The box cannot be reached: " + e.getMessage(), e);
            }
            throw e.missing() ? missing(path) : refused(path, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw refused(path, String.valueOf(e.getMessage()));
        }
    }

    private static FileRefused refused(String path, String why) {
        return new FileRefused(shown(path) + " in the box: " + why);
    }

    private static FileRefused missing(String path) {
        return FileRefused.missing(shown(path) + " in the box: it is not there");
    }

    /** The absolute path in the box of a plain relative one. */
    private String absolute(String path) {
        if (path.length() > LONGEST_PATH) {
            throw new FileRefused("A path of " + path.length() + " characters is too long");
        }
        return scratch + "/" + checked(path);
    }

    /** What is there, without following a link; the way to it is looked at as well. */
    private Optional<Entry> look(String path) {
        String whole = absolute(path);
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String above = path.substring(0, slash);
            Optional<Entry> parent = find(above, scratch + "/" + above);
            if (parent.isEmpty()) {
                return Optional.empty();
            }
            if (parent.get().kind() != Kind.DIRECTORY) {
                throw refused(path, "'" + above + "' is no directory");
            }
        }
        return find(path, whole);
    }

    private Optional<Entry> find(String path, String whole) {
        return ask(
                path,
                () -> {
                    try {
                        return Optional.of(entry(path, execd.about(whole)));
                    } catch (ServerTrouble e) {
                        if (e.missing()) {
                            return Optional.empty();
                        }
                        throw e;
                    }
                });
    }

    private Entry there(String path) {
        return look(path).orElseThrow(() -> missing(path));
    }

    private static Entry entry(String path, JsonNode told) throws ServerTrouble {
        Kind kind =
                switch (told.path("type").asText()) {
                    case "file" -> Kind.FILE;
                    case "directory" -> Kind.DIRECTORY;
                    case "symlink" -> Kind.LINK;
                    case "other" -> Kind.OTHER;
                    default -> throw ServerTrouble.nonsense("a file of no known type");
                };
        JsonNode size = told.path("size");
        String mode = told.path("mode").asText("0");
        if (!size.canConvertToLong() || size.asLong() < 0 || !mode.matches("[0-7]{1,6}")) {
            throw ServerTrouble.nonsense("a file of no size or mode");
        }
        return new Entry(
                path,
                kind,
                size.asLong(),
                Integer.parseInt(mode, 8),
                time(told.path("modified_at")));
    }

    private static Instant time(JsonNode told) throws ServerTrouble {
        try {
            return OffsetDateTime.parse(told.asText()).toInstant();
        } catch (DateTimeException e) {
            throw ServerTrouble.nonsense("a file of no time");
        }
    }

    @Override
    public byte[] read(String path) {
        Entry entry = there(path);
        if (entry.kind() != Kind.FILE) {
            throw refused(path, "not a regular file");
        }
        if (entry.size() > disk.count()) {
            throw refused(path, "larger than the box's disk");
        }
        return ask(path, () -> execd.download(absolute(path), disk.count()));
    }

    @Override
    public void write(String path, byte[] content) {
        write(path, content, 644);
    }

    private void write(String path, byte[] content, int mode) {
        Optional<Entry> before = look(path);
        if (before.isPresent() && before.get().kind() != Kind.FILE) {
            throw refused(path, "not a regular file");
        }
        if (content.length > disk.count()) {
            throw refused(path, "larger than the box's disk");
        }
        ask(
                path,
                () -> {
                    execd.upload(Map.of(absolute(path), content), mode);
                    return true;
                });
        // Servers are known to report success and to lose data.
        Entry after = there(path);
        if (after.kind() != Kind.FILE || after.size() != content.length) {
            throw refused(path, "the server did not keep all of it");
        }
    }

    @Override
    public void makeDirectory(String path) {
        Optional<Entry> before = look(path);
        if (before.isPresent() && before.get().kind() != Kind.DIRECTORY) {
            throw refused(path, "there is something else");
        }
        ask(
                path,
                () -> {
                    execd.makeDirectory(absolute(path));
                    return true;
                });
    }

    @Override
    public Entry stat(String path) {
        return there(path);
    }

    @Override
    public List<Entry> list(String path) {
        if (!path.isEmpty() && there(path).kind() != Kind.DIRECTORY) {
            throw refused(path, "not a directory");
        }
        String prefix = path.isEmpty() ? "" : path + "/";
        return ask(
                path,
                () -> {
                    JsonNode told = execd.list(path.isEmpty() ? scratch : absolute(path));
                    if (!told.isArray()) {
                        throw ServerTrouble.nonsense("no list");
                    }
                    Map<String, Entry> entries = new HashMap<>();
                    List<Entry> sorted = new ArrayList<>();
                    for (JsonNode one : told) {
                        String name = child(scratch + "/" + prefix, one.path("path").asText());
                        Entry entry = entry(prefix + name, one);
                        if (name.indexOf(REPLACEMENT) < 0) {
                            entries.put(name, entry);
                        } else {
                            // Several may look alike.
                            sorted.add(entry.unnamed());
                        }
                    }
                    sorted.addAll(entries.values());
                    sorted.sort(Comparator.comparing(Entry::path));
                    return sorted;
                });
    }

    /** The name of a child that the server tells; any other path is an attack. */
    private static String child(String parent, String whole) throws ServerTrouble {
        String name = whole.startsWith(parent) ? whole.substring(parent.length()) : "";
        boolean plain =
                !name.isEmpty()
                        && !name.equals(".")
                        && !name.equals("..")
                        && name.indexOf('/') < 0
                        && name.indexOf('\0') < 0;
        if (!plain) {
            throw ServerTrouble.nonsense("it lists what is not in the directory");
        }
        return name;
    }

    @Override
    public void move(String from, String to) {
        Entry source = there(from);
        Optional<Entry> target = look(to);
        boolean onto =
                target.isPresent()
                        && (target.get().kind() == Kind.DIRECTORY
                                || source.kind() == Kind.DIRECTORY);
        if (onto || (to + "/").startsWith(from + "/")) {
            throw refused(to, "there is a directory, or one would be moved into itself");
        }
        if (to.indexOf('/') > 0) {
            there(to.substring(0, to.lastIndexOf('/')));
        }
        ask(
                from,
                () -> {
                    execd.move(absolute(from), absolute(to));
                    return true;
                });
    }

    @Override
    public void delete(String path) {
        Entry entry = there(path);
        ask(
                path,
                () -> {
                    if (entry.kind() == Kind.DIRECTORY) {
                        execd.deleteDirectory(absolute(path));
                    } else {
                        execd.deleteFile(absolute(path));
                    }
                    return true;
                });
    }

    @Override
    public void putTree(String directory, InputStream tar) {
        if (!directory.isEmpty()) {
            makeDirectory(directory);
        }
        String prefix = directory.isEmpty() ? "" : directory + "/";
        TarReader reader = new TarReader(tar, disk.count());
        try {
            for (TarReader.Member next = reader.next(); next != null; next = reader.next()) {
                if (next.directory()) {
                    makeDirectory(prefix + next.path());
                } else {
                    write(prefix + next.path(), next.content(), next.executable() ? 755 : 644);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void getTree(String directory, OutputStream tar) {
        TarWriter writer = new TarWriter(tar);
        try {
            long[] room = {2 * disk.count(), MOST_ENTRIES};
            pack(directory, "", writer, room, 0);
            writer.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void pack(String directory, String prefix, TarWriter to, long[] room, int depth)
            throws IOException {
        if (depth > DEEPEST) {
            throw refused(directory, "too deep");
        }
        for (Entry entry : list(directory)) {
            String name = prefix + entry.path().substring(entry.path().lastIndexOf('/') + 1);
            if (--room[1] < 0) {
                throw refused(directory, "too many files");
            }
            if (entry.kind() == Kind.DIRECTORY) {
                to.directory(name, entry.modified());
                pack(entry.path(), name + "/", to, room, depth + 1);
            } else if (entry.kind() == Kind.FILE) {
                byte[] content = read(entry.path());
                room[0] -= content.length;
                if (room[0] < 0) {
                    throw refused(directory, "larger than the box's disk");
                }
                to.file(name, entry.modified(), entry.mode(), content);
            } else if (entry.kind() == Kind.UNNAMED) {
                throw refused(entry.path(), "its name is not UTF-8");
            }
        }
    }

    /** The result files among these: no honest server has more than the disk, or takes longer. */
    ResultFiles readAll(List<String> paths) {
        return ResultFiles.of(this, paths, 2 * disk.count(), PATIENCE);
    }
}
