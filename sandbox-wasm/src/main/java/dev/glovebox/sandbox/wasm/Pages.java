package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Bytes;

/** The memory that all programs of a box may have together, in pages of 64 KiB. */
final class Pages {

    static final int SIZE = 64 * 1024;

    private final int limit;
    private int used;
    private int peak;

    Pages(Bytes memory) {
        limit = (int) Math.min(memory.count() / SIZE, LinearMemory.MOST_PAGES);
    }

    int limit() {
        return limit;
    }

    /** Takes pages; false if that would be too many, and then none are taken. */
    synchronized boolean take(int count) {
        if (count > limit - used) {
            return false;
        }
        used += count;
        peak = Math.max(peak, used);
        return true;
    }

    synchronized void giveBack(int count) {
        used -= count;
    }

    synchronized int used() {
        return used;
    }

    /** The most that was in use since the last call of {@link #restart}. */
    synchronized long peakBytes() {
        return (long) peak * SIZE;
    }

    /** Forgets the peak of commands that have ended. */
    synchronized void restart() {
        peak = used;
    }
}
