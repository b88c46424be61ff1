package dev.glovebox.run.support;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.NotKept;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.LogAppend;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store that ends at a chosen record, as it would if the process died there: from then on nothing
 * is kept, whatever is tried.
 */
public final class CrashInjector implements TraceStore {

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

    private final TraceStore store;
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
        this.store = store;
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
            return store.append(append);
        }
        dead.set(true);
        switch (crash) {
            case BEFORE -> {}
            case AFTER -> store.append(append).join();
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
    public List<byte[]> lines(String run, long from, int most) {
        return store.lines(run, from, most);
    }

    @Override
    public Optional<RunRow> run(String run) {
        return store.run(run);
    }

    @Override
    public List<RunRow> runs(RunQuery query) {
        return store.runs(query);
    }

    @Override
    public Optional<Blob> blob(String digest) {
        return store.blob(digest);
    }

    @Override
    public Set<String> referring(String digest) {
        return store.referring(digest);
    }

    @Override
    public boolean erase(String digest, Set<String> runs) {
        requireAlive();
        return store.erase(digest, runs);
    }

    @Override
    public boolean extend(LogAppend append) {
        requireAlive();
        return store.extend(append);
    }

    @Override
    public long leafCount() {
        return store.leafCount();
    }

    @Override
    public List<byte[]> leaves(long from, int most) {
        return store.leaves(from, most);
    }

    @Override
    public SortedMap<Long, byte[]> leavesOf(String run) {
        return store.leavesOf(run);
    }

    @Override
    public List<byte[]> blocks() {
        return store.blocks();
    }

    @Override
    public Optional<Signed> head() {
        return store.head();
    }

    @Override
    public Optional<Signed> headCovering(long size) {
        return store.headCovering(size);
    }

    @Override
    public List<RunRow> unnoted(int most) {
        return store.unnoted(most);
    }

    @Override
    public void rotate(Signed rotation) {
        requireAlive();
        store.rotate(rotation);
    }

    @Override
    public List<Signed> rotations() {
        return store.rotations();
    }

    @Override
    public Watch watch(Runnable news) {
        return store.watch(news);
    }

    @Override
    public void close() {
        store.close();
    }
}
