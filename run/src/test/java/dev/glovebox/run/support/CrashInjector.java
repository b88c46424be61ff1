package dev.glovebox.run.support;

import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store that ends at a chosen record, as it would if the process died there: from then on nothing
 * is kept, whatever is tried.
 */
public final class CrashInjector extends StoreInFront {

    /** What happens at the chosen record. */
    public enum Crash {
        /** It is not kept. */
        BEFORE,
        /** It is kept, but nobody is told. */
        AFTER,
        /** It is not kept, and the process ends. */
        HALT
    }

    /** What the process ends with. */
    public static final int EXIT_CODE = 86;

    private final int record;
    private final Crash crash;
    private final AtomicInteger records = new AtomicInteger();
    private final AtomicBoolean dead = new AtomicBoolean();

    /**
     * Crashes at a record.
     *
     * @param record counted over all runs, from 0
     */
    public CrashInjector(TraceStore store, int record, Crash crash) {
        super(store);
        this.record = record;
        this.crash = crash;
    }

    /** How many records came so far. */
    public int records() {
        return records.get();
    }

    public boolean isDead() {
        return dead.get();
    }

    @Override
    public synchronized CompletableFuture<Void> append(Append append) {
        int first = records.getAndAdd(append.entries().size());
        if (dead.get()) {
            return gone();
        }
        if (first > record || first + append.entries().size() <= record) {
            return super.append(append);
        }
        dead.set(true);
        switch (crash) {
            case BEFORE -> {}
            case AFTER -> super.append(append).join();
            case HALT -> Runtime.getRuntime().halt(EXIT_CODE);
        }
        return gone();
    }

    private static CompletableFuture<Void> gone() {
        return CompletableFuture.failedFuture(new NotKept("The crash that the test wanted"));
    }

    private void requireAlive() {
        if (dead.get()) {
            throw new NotKept("The crash that the test wanted");
        }
    }

    @Override
    public boolean erase(String digest, Set<String> runs) {
        requireAlive();
        return super.erase(digest, runs);
    }

    @Override
    public boolean extend(LogAppend append) {
        requireAlive();
        return super.extend(append);
    }

    @Override
    public void rotate(Signed rotation) {
        requireAlive();
        super.rotate(rotation);
    }
}
