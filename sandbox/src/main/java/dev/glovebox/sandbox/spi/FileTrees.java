package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxFiles.Entry;
import dev.glovebox.sandbox.FileRefused;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;

/**
 * The trees of a box, as tar streams, by what can be done with its files one by one.
 *
 * <p>The attack: a program makes a thousand files that look large and take no room, or puts before
 * whoever walks through its directories what was passed already, so that the tree is larger than
 * any disk, or never ends. The defence: no tree has more than twice what the box may hold; twice,
 * since an honest program may write a file anew once it was read.
 */
public final class FileTrees {

    /** No archive that is read has more members. */
    public static final long MOST_FILES = TarReader.MOST_HEADERS;

    /** What a Java array holds: no larger file is read, however large the disk. */
    public static final long LARGEST_FILE = TarReader.LARGEST_FILE;

    private static final int DEEPEST = 512;
    private static final Duration LONGEST = Duration.ofMinutes(10);

    private final BoxFiles files;
    private final FileWriter writer;
    private final long room;
    private final long most;

    /** Writes a file with its permissions. */
    @FunctionalInterface
    public interface FileWriter {
        void write(String path, byte[] content, int mode);
    }

    /**
     * For the files of a box.
     *
     * @param room how many bytes they have together, at the most
     * @param most how many files and directories there are, at the most
     */
    public FileTrees(BoxFiles files, FileWriter writer, long room, long most) {
        this.files = files;
        this.writer = writer;
        this.room = room;
        this.most = most;
    }

    /** The result files among these, together no more than a tree may be. */
    public ResultFiles read(List<String> paths) {
        return ResultFiles.of(files, paths, 2 * room, LONGEST);
    }

    /** See {@link BoxFiles#putTree}. */
    public void put(String directory, InputStream tar) {
        String prefix = directory.isEmpty() ? "" : ScratchPath.checked(directory) + "/";
        try {
            TarReader reader = new TarReader(tar, room);
            for (TarReader.Member member = reader.next(); member != null; member = reader.next()) {
                if (member.directory()) {
                    files.makeDirectory(prefix + member.path());
                } else {
                    writer.write(prefix + member.path(), member.content(), member.mode());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** See {@link BoxFiles#getTree}. */
    public void get(String directory, OutputStream tar) {
        try {
            TarWriter archive = new TarWriter(tar);
            new Packing(archive).add(directory, "", 0);
            archive.finish();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A tree that is packed, as long as it has no more than the box can hold. */
    private final class Packing {

        private final TarWriter archive;
        private final long deadline = System.nanoTime() + LONGEST.toNanos();
        private long bytes;
        private long entries;

        Packing(TarWriter archive) {
            this.archive = archive;
        }

        void add(String directory, String prefix, int depth) throws IOException {
            if (depth > DEEPEST) {
                throw new FileRefused(ScratchPath.shown(directory) + " is nested too deeply");
            }
            for (Entry entry : files.list(directory)) {
                String path = prefix + entry.path().substring(entry.path().lastIndexOf('/') + 1);
                count(directory, 1, 0);
                switch (entry.kind()) {
                    case DIRECTORY -> {
                        archive.directory(path, entry.modified());
                        add(entry.path(), path + "/", depth + 1);
                    }
                    case FILE -> addFile(entry, path, directory);
                    case LINK, OTHER -> {}
                    case UNNAMED ->
                            throw new FileRefused(
                                    ScratchPath.shown(entry.path())
                                            + " has a name that is not UTF-8");
                }
            }
        }

        private void addFile(Entry file, String path, String directory) throws IOException {
            byte[] content;
            try {
                content = files.read(file.path());
            } catch (FileRefused e) {
                return; // deleted or replaced meanwhile by a running program
            }
            count(directory, 0, content.length);
            archive.file(path, file.modified(), file.mode(), content);
        }

        private void count(String directory, int more, int length) {
            entries += more;
            bytes += length;
            if (entries > 2 * most || bytes > 2 * room || System.nanoTime() > deadline) {
                throw new FileRefused(
                        ScratchPath.shown(directory)
                                + " does not come to an end: there is more than the box can hold");
            }
        }
    }
}
