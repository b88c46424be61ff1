package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Makes the records of one run, each behind the one before, without any store. */
public final class Chain {

    private static final BlobRef INPUT = Blob.of(new byte[0]).reference(BlobRef.TEXT);

    private final String run;
    private long seq;
    private long at = 1_000_000;
    private String prev = Entry.NOTHING;

    /** Begins a run. */
    public Chain(String run) {
        this.run = run;
    }

    /** Continues a run where a store says that it ends. */
    public static Chain continuing(RunRow row) {
        Chain chain = new Chain(row.run());
        chain.seq = row.records();
        chain.prev = row.lastHash();
        return chain;
    }

    /** Continues a run where a store says that it ends, or begins it. */
    public static Chain in(TraceStore store, String run) {
        return store.run(run).map(Chain::continuing).orElseGet(() -> new Chain(run));
    }

    /** Another one that continues at the same place. */
    public Chain fork() {
        Chain fork = new Chain(run);
        fork.seq = seq;
        fork.at = at;
        fork.prev = prev;
        return fork;
    }

    /** The next records have this time. */
    public Chain at(long micros) {
        at = micros;
        return this;
    }

    public String run() {
        return run;
    }

    /** How many records there are. */
    public long size() {
        return seq;
    }

    public Append start(String kind, String title) {
        return next(new Event.RunStarted(kind, title, INPUT, "test 1"));
    }

    public Append note(String text) {
        return next(new Event.Noted("a", seq, text));
    }

    public Append finish(String stop) {
        return next(new Event.RunFinished(stop, Optional.empty(), Entry.NOTHING));
    }

    /** A record, or several at once. */
    public Append next(Event... events) {
        return next(List.of(), Set.of(), events);
    }

    /** Records with content. */
    public Append next(List<Blob> blobs, Set<String> references, Event... events) {
        List<Entry> entries = new ArrayList<>();
        for (Event event : events) {
            Entry entry = Entry.of(run, seq, at, prev, event);
            seq++;
            prev = entry.hash();
            entries.add(entry);
        }
        return new Append(entries, blobs, references);
    }

    /** A note with content. */
    public Append note(Blob... blobs) {
        Set<String> references = new java.util.HashSet<>();
        for (Blob blob : blobs) {
            references.add(blob.digest());
        }
        return next(List.of(blobs), references, new Event.Noted("a", seq, "with content"));
    }

    /** Reads all of a run, and finds it unbroken. */
    public static List<Entry> unbroken(TraceStore store, String run) {
        List<Entry> entries = new ArrayList<>();
        String prev = Entry.NOTHING;
        List<byte[]> lines = store.lines(run, 0, 1_000);
        while (!lines.isEmpty()) {
            for (byte[] line : lines) {
                Entry entry = Entry.read(line);
                assertThat(entry.run()).isEqualTo(run);
                assertThat(entry.seq()).isEqualTo(entries.size());
                assertThat(entry.prev()).isEqualTo(prev);
                assertThat(entry.hash()).isEqualTo(entry.computedHash());
                prev = entry.hash();
                entries.add(entry);
            }
            lines = store.lines(run, entries.size(), 1_000);
        }
        RunRow row = store.run(run).orElseThrow();
        assertThat(row.records()).isEqualTo(entries.size());
        assertThat(row.lastHash()).isEqualTo(prev);
        return entries;
    }
}
