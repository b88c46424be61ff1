package dev.glovebox.sandbox.wasm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Memory outside of the Java heap, taken by one thread for all.
 *
 * <p>The system's allocator keeps what a thread gave back for the next one, up to 64 MiB for each
 * of eight times as many places as there are processors. Whoever always asks from the same thread
 * has one such place. What is larger than the allocator ever keeps need not go through it.
 */
final class OffHeap {

    private static final String NAME = "glovebox-wasm-memory";
    private static final long NEVER_KEPT = 32L << 20;

    private static final ExecutorService THREAD =
            Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name(NAME).factory());

    private OffHeap() {}

    /** Memory that any thread may use, and give back. */
    record Piece(Arena arena, MemorySegment bytes) implements AutoCloseable {

        @Override
        public void close() {
            arena.close();
        }
    }

    /** Does something on the thread that takes memory, soon. */
    static void later(Runnable action) {
        THREAD.execute(action);
    }

    /** A piece of zeros. */
    static Piece allocate(long size) {
        Arena arena = Arena.ofShared();
        return new Piece(arena, allocate(arena, size));
    }

    /** Zeros, until the arena is closed. */
    static MemorySegment allocate(Arena arena, long size) {
        if (size > NEVER_KEPT || Thread.currentThread().getName().equals(NAME)) {
            return arena.allocate(size, Long.BYTES);
        }
        try {
            return CompletableFuture.supplyAsync(() -> arena.allocate(size, Long.BYTES), THREAD)
                    .join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof OutOfMemoryError none) {
                throw none;
            }
            throw e;
        }
    }
}
