package dev.glovebox.sandbox.wasm;

import java.lang.foreign.MemorySegment;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * The memories of engines that wait for a program, made ahead and each used once. They are copies
 * of one that has just started, so that a program neither waits for that nor sees another's traces.
 */
final class EnginesAhead {

    // A few programs at once find one ready; the memory of more would lie idle.
    private static final int MOST = 4;
    // What an engine takes for a small program, so that its memory need not move.
    private static final long TO_SPARE = 1L << 20;

    private final byte[] image;
    private final Queue<OffHeap.Piece> ready = new ArrayBlockingQueue<>(MOST);

    EnginesAhead(byte[] image) {
        this.image = image;
        OffHeap.later(this::fill);
    }

    /** How large the memory is that an engine starts with. */
    int size() {
        return image.length;
    }

    /** One that nobody has used; its taker closes it. */
    OffHeap.Piece take() {
        OffHeap.Piece piece = ready.poll();
        OffHeap.later(this::fill);
        return piece == null ? make() : piece;
    }

    /** Only ever called by one thread, so there are never more than fit. */
    private void fill() {
        while (ready.size() < MOST) {
            ready.add(make());
        }
    }

    private OffHeap.Piece make() {
        OffHeap.Piece piece = OffHeap.allocate(image.length + TO_SPARE);
        MemorySegment.copy(MemorySegment.ofArray(image), 0, piece.bytes(), 0, image.length);
        return piece;
    }
}
