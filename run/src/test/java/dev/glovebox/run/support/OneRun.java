package dev.glovebox.run.support;

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
import java.util.concurrent.CompletableFuture;

/** A store of which only one run can be seen, as if all others were lost. */
public final class OneRun implements TraceStore {

    private final TraceStore store;
    private final String only;

    public OneRun(TraceStore store, String only) {
        this.store = store;
        this.only = only;
    }

    @Override
    public CompletableFuture<Void> append(Append append) {
        return store.append(append);
    }

    @Override
    public List<byte[]> lines(String run, long from, int most) {
        return run.equals(only) ? store.lines(run, from, most) : List.of();
    }

    @Override
    public Optional<RunRow> run(String run) {
        return store.run(run).filter(row -> row.run().equals(only));
    }

    @Override
    public List<RunRow> runs(RunQuery query) {
        return store.runs(query).stream().filter(row -> row.run().equals(only)).toList();
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
    public void erase(String digest) {
        store.erase(digest);
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
