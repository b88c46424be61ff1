package dev.glovebox.trace;

import com.fasterxml.jackson.core.util.BufferRecycler;
import com.fasterxml.jackson.core.util.RecyclerPool;
import java.io.Serial;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The buffers of Jackson for whoever reads or writes next: a few, however many threads there are.
 * The pools of the library keep one for each thread, or all that were ever used at once.
 */
public final class Buffers implements RecyclerPool<BufferRecycler> {

    /** For all readers and writers of a process. */
    public static final Buffers SHARED = new Buffers();

    @Serial private static final long serialVersionUID = 1L;

    private static final int KEPT = 16;

    private final transient AtomicReferenceArray<BufferRecycler> kept =
            new AtomicReferenceArray<>(KEPT);

    private Buffers() {}

    @Serial
    private Object readResolve() {
        return SHARED;
    }

    @Override
    @SuppressWarnings("NullAway") // A slot may be empty.
    public BufferRecycler acquirePooled() {
        BufferRecycler known = kept.getAndSet(slot(), null);
        return known == null ? new BufferRecycler() : known;
    }

    @Override
    public void releasePooled(BufferRecycler buffers) {
        kept.lazySet(slot(), buffers);
    }

    // A thread mostly finds what it used last; those that share a slot only find it more seldom.
    private static int slot() {
        return (int) (Thread.currentThread().threadId() % KEPT);
    }
}
