package dev.glovebox.trace;

import dev.glovebox.trace.Event.BlobRedacted;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Reads the records of a run, some at a time. */
final class Tape implements Iterator<Entry> {

    private static final int PAGE = 500;

    private final TraceStore store;
    private final String run;
    private final Queue<byte[]> page = new ArrayDeque<>();
    private long next;
    private boolean ended;

    private Tape(TraceStore store, String run, long from) {
        this.store = store;
        this.run = run;
        this.next = from;
    }

    /** The records from a number on, up to the last one that is there when it is asked for. */
    static Stream<Entry> of(TraceStore store, String run, long from) {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(
                        new Tape(store, run, from), Spliterator.ORDERED | Spliterator.NONNULL),
                false);
    }

    /** Whether one of the records from a number on says that some content was deleted. */
    static boolean redacts(TraceStore store, String run, long from, String digest) {
        return of(store, run, from)
                .filter(entry -> entry.type().equals(EventCodec.BLOB_REDACTED))
                .map(Entry::event)
                .anyMatch(event ->
                        event instanceof BlobRedacted redacted && redacted.digest().equals(digest));
    }

    @Override
    public boolean hasNext() {
        if (page.isEmpty() && !ended) {
            List<byte[]> lines = store.lines(run, next, PAGE);
            page.addAll(lines);
            next += lines.size();
            ended = lines.isEmpty();
        }
        return !page.isEmpty();
    }

    @Override
    public Entry next() {
        if (!hasNext()) {
            throw new NoSuchElementException("The run " + run + " has no record " + next);
        }
        return Entry.read(page.remove());
    }
}
