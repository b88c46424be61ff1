package dev.glovebox.run.support;

import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.TraceStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** A store that weighs what it is given to keep. */
public final class Scales extends StoreInFront {

    private final AtomicLong bytes = new AtomicLong();

    public Scales(TraceStore store) {
        super(store);
    }

    /** How much so far, records and content. */
    public long bytes() {
        return bytes.get();
    }

    @Override
    public CompletableFuture<Void> append(Append append) {
        append.entries().forEach(entry -> bytes.addAndGet(entry.bytes().length));
        append.blobs().forEach(blob -> bytes.addAndGet(blob.content().length));
        return super.append(append);
    }
}
