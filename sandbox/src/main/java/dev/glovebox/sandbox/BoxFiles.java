package dev.glovebox.sandbox;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Instant;
import java.util.List;

/**
 * The scratch directory of a box.
 *
 * <p>Paths are relative to the scratch directory and use {@code /}. No path leads out of it: no
 * {@code ..}, no absolute path, no symbolic link is followed anywhere on the way, and only regular
 * files are read or written. What is written counts against the box's disk limit. Every method
 * throws {@link FileRefused} for a path that is refused or not there.
 */
public interface BoxFiles {

    /** What a path is. */
    enum Kind {
        FILE,
        DIRECTORY,
        LINK,
        OTHER,
        /** It has a name that is not UTF-8, so that no path leads to it; its own shows the rest. */
        UNNAMED
    }

    /** A file of the scratch directory; {@code path} is relative to it. */
    record Entry(String path, Kind kind, long size, int mode, Instant modified) {

        /** The same with a name that is not UTF-8. */
        public Entry unnamed() {
            return new Entry(path, Kind.UNNAMED, size, mode, modified);
        }
    }

    /** Reads a regular file whole. */
    byte[] read(String path);

    /** Writes a regular file, replacing what was there, and makes its parent directories. */
    void write(String path, byte[] content);

    /** Makes a directory and its parents. */
    void makeDirectory(String path);

    /** Describes a file, without following a link. */
    Entry stat(String path);

    /** Lists a directory in name order; the empty path is the scratch itself. */
    List<Entry> list(String path);

    /** Renames within the scratch, replacing a file at the destination. */
    void move(String from, String to);

    /** Deletes a file, or a directory with all that is in it. */
    void delete(String path);

    /** Unpacks a tar stream below a directory: regular files and directories, nothing else. */
    void putTree(String directory, InputStream tar);

    /**
     * Packs a directory as a tar stream: regular files and directories, nothing else; refused where
     * they are larger than the box can hold, as files with holes are, and those that a running
     * program moves about, and where a name is not UTF-8.
     */
    void getTree(String directory, OutputStream tar);
}
