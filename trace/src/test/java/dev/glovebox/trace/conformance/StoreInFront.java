package dev.glovebox.trace.conformance;

import dev.glovebox.trace.Blob;
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

/** A store that passes everything on to another one, for tests that want a part of it changed. */
public class StoreInFront implements TraceStore {

    private final TraceStore store;

    public StoreInFront(TraceStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<Void> append(Append append) {
        return store.append(append);
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
        return store.erase(digest, runs);
    }

    @Override
    public boolean extend(LogAppend append) {
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
