package dev.glovebox.sandbox.wasm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The room of a box's files: blocks of 4 KiB outside of the Java heap, as many as the policy's disk
 * has. Not safe for several threads; the {@link Tree} that owns it is.
 */
final class Blocks implements AutoCloseable {

    static final int SIZE = 4096;

    private static final int FEWEST_AT_ONCE = 16;
    private static final int MOST_AT_ONCE = 1024;

    private final Arena arena = Arena.ofShared();
    private final Deque<MemorySegment> free = new ArrayDeque<>();
    private final long limit;
    private long made;
    private long used;

    Blocks(long bytes) {
        limit = bytes / SIZE;
    }

    long limit() {
        return limit;
    }

    boolean full() {
        return used >= limit;
    }

    /** A block of zeros. */
    MemorySegment take() {
        if (full()) {
            throw Errno.ENOSPC.failure();
        }
        if (free.isEmpty()) {
            long wanted = Math.clamp(made, FEWEST_AT_ONCE, MOST_AT_ONCE);
            long count = Math.min(wanted, limit - made);
            MemorySegment some = OffHeap.allocate(arena, count * SIZE);
            for (int i = 0; i < count; i++) {
                free.add(some.asSlice((long) i * SIZE, SIZE));
            }
            made += count;
        }
        used++;
        return free.removeFirst();
    }

    void giveBack(MemorySegment block) {
        // The next file must not see what this one held.
        block.fill((byte) 0);
        free.addFirst(block);
        used--;
    }

    @Override
    public void close() {
        arena.close();
    }
}
