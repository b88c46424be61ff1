package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.spi.ScratchPath.checked;
import static dev.glovebox.sandbox.spi.ScratchPath.shown;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.FileTrees;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The scratch directory as seen from outside.
 *
 * <p>The attack: a program plants a link, a FIFO or a device where we are going to read or write,
 * or swaps one in between our check and our use, to make this process read or write a file of the
 * host, or hang. The defence: the directory is opened once, before any program runs, and every path
 * is walked from that descriptor by the kernel itself, which follows no link, crosses no mount and
 * leaves no directory; types are checked on the opened descriptor, never on a name.
 */
final class Scratch implements BoxFiles {

    private static final int BUFFER = 64 * 1024;
    private static final int PERMISSIONS = 0xfff;
    private static final int DEEPEST = 512;

    private final int root;
    // The user that files given to the box belong to, or -1 where that is our own.
    private final int owner;
    private final long room;
    private final FileTrees trees;
    private final ReadWriteLock life = new ReentrantReadWriteLock();
    private boolean closed;

    /**
     * Takes over an open directory.
     *
     * @param root descriptor of the directory; closed by {@link #close}
     * @param room no file larger than this is read into memory
     */
    Scratch(int root, int owner, long room) {
        this.root = root;
        this.owner = owner;
        this.room = room;
        this.trees = new FileTrees(this, this::write, room, FileTrees.MOST_FILES);
    }

    void close() {
        life.writeLock().lock();
        try {
            closed = true;
            Kernel.close(root);
        } finally {
            life.writeLock().unlock();
        }
    }

    /**
     * The only way in from the root: after the end of the box its descriptor may well be that of
     * another box.
     */
    private int openFromRoot(String path, int flags) {
        life.readLock().lock();
        try {
            if (closed) {
                throw new BoxGone("The box is closed");
            }
            return check(Kernel.openBeneath(root, path, flags, 0), path);
        } finally {
            life.readLock().unlock();
        }
    }

    int descriptor() {
        return root;
    }

    @Override
    public byte[] read(String path) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            copyOut(path, out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    /** The result files among these. */
    ResultFiles readAll(List<String> paths) {
        return trees.read(paths);
    }

    private void copyOut(String path, OutputStream out) throws IOException {
        int fd = openRegular(path, Kernel.O_RDONLY | Kernel.O_NONBLOCK);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER);
            // A sparse file may be larger than the disk limit; bounded, since it is hostile input:
            // by its size, for holes take long to read, and by what comes, for it may grow.
            requireRoom(path, Kernel.stat(fd, new byte[0]).size());
            for (long total = 0; ; ) {
                int size = check(Kernel.read(fd, buffer), path);
                if (size == 0) {
                    return;
                }
                total += size;
                requireRoom(path, total);
                out.write(buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
            }
        } finally {
            Kernel.close(fd);
        }
    }

    private void requireRoom(String path, long size) {
        if (size > Math.min(room, FileTrees.LARGEST_FILE)) {
            throw new FileRefused(shown(path) + " is larger than the box's disk, or than 2 GiB");
        }
    }

    private int openRegular(String path, int flags) {
        int fd = openFromRoot(checked(path), flags);
        if (!Kernel.stat(fd, new byte[0]).regular()) {
            Kernel.close(fd);
            throw new FileRefused(shown(path) + " is not a regular file");
        }
        return fd;
    }

    @Override
    public void write(String path, byte[] content) {
        write(path, content, 0644);
    }

    private void write(String path, byte[] content, int mode) {
        String parent = parent(checked(path));
        if (content.length > room) {
            throw new FileRefused(shown(path) + " is larger than the box's disk");
        }
        if (!parent.isEmpty()) {
            makeDirectory(parent);
        }
        int directory = openDirectory(parent);
        try {
            String name = name(path);
            // Not O_TRUNC: a FIFO or device must not be touched before its type is known.
            int flags = Kernel.O_WRONLY | Kernel.O_CREAT | Kernel.O_NONBLOCK;
            int fd =
                    check(
                            Kernel.asUser(
                                    owner, () -> Kernel.openBeneath(directory, name, flags, 0644)),
                            path);
            try {
                Kernel.Stat stat = Kernel.stat(fd, new byte[0]);
                if (!stat.regular() || stat.links() > 1) {
                    throw new FileRefused(shown(path) + " is not a regular file with one name");
                }
                check(Kernel.truncate(fd), path);
                check((int) Kernel.asUser(owner, () -> Kernel.chmod(fd, mode)).longValue(), path);
                for (int done = 0; done < content.length; ) {
                    done +=
                            check(
                                    Kernel.write(
                                            fd,
                                            content,
                                            done,
                                            Math.min(content.length - done, BUFFER)),
                                    path);
                }
            } finally {
                Kernel.close(fd);
            }
        } finally {
            Kernel.close(directory);
        }
    }

    @Override
    public void makeDirectory(String path) {
        int directory = openDirectory("");
        try {
            for (String name : checked(path).split("/")) {
                int parent = directory;
                long made = Kernel.asUser(owner, () -> Kernel.makeDirectory(parent, name));
                if (made < 0 && made != -Kernel.EEXIST) {
                    check((int) made, path);
                }
                directory =
                        check(
                                Kernel.openBeneath(
                                        parent, name, Kernel.O_RDONLY | Kernel.O_DIRECTORY, 0),
                                path);
                Kernel.close(parent);
            }
        } finally {
            Kernel.close(directory);
        }
    }

    @Override
    public Entry stat(String path) {
        int directory = openDirectory(parent(checked(path)));
        try {
            return entry(path, directory, name(path).getBytes(StandardCharsets.UTF_8));
        } finally {
            Kernel.close(directory);
        }
    }

    private static Entry entry(String path, int directory, byte[] name) {
        Kernel.Stat stat;
        try {
            stat = Kernel.stat(directory, name);
        } catch (KernelException e) {
            throw refused(path, e.errno());
        }
        Kind kind =
                stat.regular()
                        ? Kind.FILE
                        : stat.directory() ? Kind.DIRECTORY : stat.link() ? Kind.LINK : Kind.OTHER;
        return new Entry(
                path, kind, stat.size(), stat.mode() & PERMISSIONS, time(stat.modifiedSeconds()));
    }

    /** A program can give a file any time, also one that no {@link Instant} can hold. */
    private static Instant time(long seconds) {
        long clamped =
                Math.clamp(seconds, Instant.MIN.getEpochSecond(), Instant.MAX.getEpochSecond());
        return Instant.ofEpochSecond(clamped);
    }

    @Override
    public List<Entry> list(String path) {
        String prefix = path.isEmpty() ? "" : checked(path) + "/";
        int directory = openDirectory(path.isEmpty() ? "" : checked(path));
        try {
            List<Entry> entries = new ArrayList<>();
            for (Kernel.Name name : allNames(directory)) {
                try {
                    Entry entry = entry(prefix + name.text(), directory, name.raw());
                    boolean isText =
                            Arrays.equals(name.text().getBytes(StandardCharsets.UTF_8), name.raw());
                    entries.add(isText ? entry : entry.unnamed());
                } catch (FileRefused e) {
                    // Deleted meanwhile by a running program.
                }
            }
            entries.sort(Comparator.comparing(Entry::path));
            return List.copyOf(entries);
        } finally {
            Kernel.close(directory);
        }
    }

    private static List<Kernel.Name> allNames(int directory) {
        List<Kernel.Name> all = new ArrayList<>();
        for (List<Kernel.Name> some = Kernel.names(directory);
                !some.isEmpty();
                some = Kernel.names(directory)) {
            all.addAll(some);
        }
        return all;
    }

    @Override
    public void move(String from, String to) {
        int source = openDirectory(parent(checked(from)));
        try {
            int target = openDirectory(parent(checked(to)));
            try {
                // As the owner: the user namespace of the box does not know us.
                long moved =
                        Kernel.asUser(
                                owner, () -> Kernel.rename(source, name(from), target, name(to)));
                check((int) moved, from);
            } finally {
                Kernel.close(target);
            }
        } finally {
            Kernel.close(source);
        }
    }

    @Override
    public void delete(String path) {
        int directory = openDirectory(parent(checked(path)));
        try {
            deleteIn(directory, name(path).getBytes(StandardCharsets.UTF_8), path, 0);
        } finally {
            Kernel.close(directory);
        }
    }

    private void deleteIn(int directory, byte[] name, String path, int depth) {
        long result = Kernel.unlink(directory, name, 0);
        if (result == -Kernel.EISDIR) {
            if (depth > DEEPEST) {
                throw new FileRefused(shown(path) + " is nested too deeply");
            }
            int inner =
                    check(
                            Kernel.openBeneath(
                                    directory, name, Kernel.O_RDONLY | Kernel.O_DIRECTORY, 0),
                            path);
            try {
                for (Kernel.Name child : allNames(inner)) {
                    deleteIn(inner, child.raw(), path, depth + 1);
                }
            } finally {
                Kernel.close(inner);
            }
            result = Kernel.unlink(directory, name, Kernel.AT_REMOVEDIR);
        }
        check((int) result, path);
    }

    @Override
    public void putTree(String directory, InputStream tar) {
        trees.put(directory, tar);
    }

    @Override
    public void getTree(String directory, OutputStream tar) {
        trees.get(directory, tar);
    }

    private int openDirectory(String path) {
        String shown = path.isEmpty() ? "." : path;
        return openFromRoot(shown, Kernel.O_RDONLY | Kernel.O_DIRECTORY);
    }

    private static int check(int result, String path) {
        if (result < 0) {
            throw refused(path, -result);
        }
        return result;
    }

    private static FileRefused refused(String path, int errno) {
        String message = shown(path) + ": " + KernelException.name(errno);
        return errno == Kernel.ENOENT ? FileRefused.missing(message) : new FileRefused(message);
    }

    private static String parent(String path) {
        return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
