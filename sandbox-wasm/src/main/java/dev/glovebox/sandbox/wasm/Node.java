package dev.glovebox.sandbox.wasm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What can be in a box's directory: files and folders, and nothing else. There are no links, so no
 * path leads anywhere but where it says. All of it is guarded by the {@link Tree}.
 */
abstract sealed class Node {

    private final long number;
    private Instant modified = Instant.now();

    private Node(long number) {
        this.number = number;
    }

    /** Its own in this box. */
    long number() {
        return number;
    }

    Instant modified() {
        return modified;
    }

    void modified(Instant time) {
        modified = time;
    }

    void touch() {
        modified = Instant.now();
    }

    abstract long size();

    /** A folder and what is in it, in name order. */
    static final class Folder extends Node {

        private final NavigableMap<String, Node> children = new TreeMap<>();
        private @Nullable Folder parent;

        Folder(long number) {
            super(number);
        }

        /** The folder that it is in; none for the root, and for one that was removed. */
        @Nullable Folder parent() {
            return parent;
        }

        void parent(@Nullable Folder folder) {
            parent = folder;
        }

        NavigableMap<String, Node> children() {
            return children;
        }

        @Override
        long size() {
            return 0;
        }
    }

    /** A file; one that is deleted while it is open keeps its room until it is closed. */
    static final class File extends Node {

        // What a Java array holds, so that any file can be read whole.
        private static final long LARGEST = Integer.MAX_VALUE - 8L;

        private final Blocks room;
        private final List<MemorySegment> blocks = new ArrayList<>();
        private long size;
        private int opened;
        private boolean deleted;
        private boolean executable;

        File(long number, Blocks room) {
            super(number);
            this.room = room;
        }

        @Override
        long size() {
            return size;
        }

        boolean executable() {
            return executable;
        }

        void executable(boolean value) {
            executable = value;
        }

        void open() {
            opened++;
        }

        void close() {
            opened--;
            giveBackIfGone();
        }

        void delete() {
            deleted = true;
            giveBackIfGone();
        }

        private void giveBackIfGone() {
            if (deleted && opened == 0) {
                blocks.forEach(room::giveBack);
                blocks.clear();
                size = 0;
            }
        }

        /** Reads what is there; 0 at the end. */
        int read(long at, byte[] into, int offset, int length) {
            int count = Math.clamp(size - at, 0, length);
            for (int done = 0; done < count; ) {
                int inside = (int) ((at + done) % Blocks.SIZE);
                int step = Math.min(count - done, Blocks.SIZE - inside);
                MemorySegment block = blocks.get((int) ((at + done) / Blocks.SIZE));
                MemorySegment.copy(block, JAVA_BYTE, inside, into, offset + done, step);
                done += step;
            }
            return count;
        }

        /** Writes as much as there is room for; fails if that is nothing. */
        int write(long at, byte[] from, int offset, int length) {
            touch();
            if (length == 0) {
                return 0;
            }
            if (at > LARGEST - length || at > room.limit() * Blocks.SIZE) {
                throw Errno.EFBIG.failure();
            }
            long end = at + length;
            try {
                extend(end);
            } catch (Errno.Failure e) {
                end = (long) blocks.size() * Blocks.SIZE;
                if (end <= at) {
                    trim(size);
                    throw e;
                }
            }
            int count = (int) (end - at);
            for (int done = 0; done < count; ) {
                int inside = (int) ((at + done) % Blocks.SIZE);
                int step = Math.min(count - done, Blocks.SIZE - inside);
                MemorySegment block = blocks.get((int) ((at + done) / Blocks.SIZE));
                MemorySegment.copy(from, offset + done, block, JAVA_BYTE, inside, step);
                done += step;
            }
            size = Math.max(size, end);
            return count;
        }

        /** Cuts it, or makes it longer with zeros; there are no holes that cost nothing. */
        void resize(long length) {
            if (length < 0 || length > LARGEST || length > room.limit() * Blocks.SIZE) {
                throw Errno.EFBIG.failure();
            }
            touch();
            try {
                extend(length);
            } catch (Errno.Failure e) {
                trim(size);
                throw e;
            }
            trim(length);
            if (length < size && length % Blocks.SIZE != 0) {
                blocks.getLast().asSlice(length % Blocks.SIZE).fill((byte) 0);
            }
            size = length;
        }

        private void extend(long end) {
            while ((long) blocks.size() * Blocks.SIZE < end) {
                blocks.add(room.take());
            }
        }

        private void trim(long length) {
            long keep = (length + Blocks.SIZE - 1) / Blocks.SIZE;
            while (blocks.size() > keep) {
                room.giveBack(blocks.removeLast());
            }
        }
    }
}
