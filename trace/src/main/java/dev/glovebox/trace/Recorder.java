package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.TraceStore;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Writes one run: owns its end, and gives each record its number, time and hash.
 *
 * <p>Many threads may record at once. A record is durable when the call returns, or when the future
 * of {@link #submit} is done.
 */
public final class Recorder {

    // A long run is noted in the log now and then, so that not all of it can be cut off unseen.
    private static final long MARK_EVERY = 1_000;

    private final TraceStore store;
    private final Seals seals;
    private final Clock clock;
    private final String run;
    private final ReplayDigest replay = new ReplayDigest();
    private final Set<String> named = new HashSet<>();
    private final List<Blob> blobs = new ArrayList<>();
    private final Set<String> references = new HashSet<>();
    private long seq;
    private long at;
    private String prev = Entry.NOTHING;
    private boolean finished;

    private Recorder(TraceStore store, Seals seals, Clock clock, String run) {
        this.store = store;
        this.seals = seals;
        this.clock = clock;
        this.run = run;
    }

    /** For a new run. */
    static Recorder fresh(TraceStore store, Seals seals, Clock clock, String run) {
        return new Recorder(store, seals, clock, run);
    }

    /** For a run that somebody else began; the next record must be {@link Event.RunClaimed}. */
    static Recorder continuing(TraceStore store, Seals seals, Clock clock, List<Entry> tape) {
        Recorder recorder = new Recorder(store, seals, clock, tape.getFirst().run());
        for (Entry entry : tape) {
            Event event = entry.event();
            recorder.replay.add(event);
            recorder.finished |= event instanceof RunFinished;
        }
        Entry last = tape.getLast();
        recorder.seq = last.seq() + 1;
        recorder.at = last.at();
        recorder.prev = last.hash();
        return recorder;
    }

    public String run() {
        return run;
    }

    /** How many records there are. */
    public synchronized long size() {
        return seq;
    }

    /** What the run has derived so far. */
    public synchronized String replayDigest() {
        return replay.value();
    }

    /** Keeps content with the next record, unless this run has it already. */
    public BlobRef keep(byte[] content, String media) {
        return keep(Blob.of(content), media);
    }

    /**
     * Keeps private content with the next record; each call makes a blob of its own, whose digest
     * tells nothing.
     */
    public BlobRef keepPrivate(byte[] content, String media) {
        return keep(Blob.salted(content), media);
    }

    private synchronized BlobRef keep(Blob blob, String media) {
        if (named.add(blob.digest())) {
            blobs.add(blob);
            references.add(blob.digest());
        }
        return blob.reference(media);
    }

    /**
     * Keeps a list that begins like another one by what is different; for a conversation, which is
     * sent again and again and grows at its end.
     *
     * @param base the list before; empty for the first one
     */
    public KeptList keepList(Optional<KeptList> base, List<JsonNode> elements) {
        int common = base.map(list -> commonBeginning(list.elements(), elements)).orElse(0);
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        ArrayNode add = list.putArray("add");
        elements.subList(common, elements.size()).forEach(add::add);
        if (common > 0) {
            list.set("base", base.orElseThrow().reference().json());
            list.put("keep", common);
        }
        list.put("length", elements.size());
        return new KeptList(keep(CanonicalJson.bytes(list), BlobRef.LIST), List.copyOf(elements));
    }

    private static int commonBeginning(List<JsonNode> one, List<JsonNode> other) {
        int most = Math.min(one.size(), other.size());
        int common = 0;
        while (common < most && one.get(common).equals(other.get(common))) {
            common++;
        }
        return common;
    }

    /**
     * Records an event; durable when this returns.
     *
     * @throws Conflict if somebody else has continued the run
     * @throws NotKept if it could not be kept
     */
    public Entry record(Event event) {
        return await(submit(event));
    }

    /** Records an event, behind all that were submitted before; durable when done. */
    public CompletableFuture<Entry> submit(Event event) {
        return submit(List.of(event));
    }

    private synchronized CompletableFuture<Entry> submit(List<Event> events) {
        List<Entry> entries = new ArrayList<>();
        for (Event event : events) {
            if (finished && !(event instanceof Event.BlobRedacted)) {
                throw new IllegalStateException("The run " + run + " is finished");
            }
            if (seq >= Entry.MOST) {
                throw new NotKept("The run " + run + " has " + seq + " records, which is the most");
            }
            at = Math.max(at, ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant()));
            Entry entry = Entry.of(run, seq, at, prev, event);
            replay.add(event);
            finished |= event instanceof RunFinished;
            seq++;
            prev = entry.hash();
            entries.add(entry);
        }
        Append append = new Append(entries, blobs, references);
        blobs.clear();
        references.clear();
        Entry last = append.entries().getLast();
        CompletableFuture<Entry> kept = store.append(append).thenApply(nothing -> last);
        if (last.seq() == 0) {
            return kept.thenApply(entry -> noted(Seals.Mark.START, entry));
        }
        return seq % MARK_EVERY == 0
                ? kept.thenApply(entry -> noted(Seals.Mark.MARK, entry))
                : kept;
    }

    private Entry noted(Seals.Mark mark, Entry entry) {
        seals.note(mark, entry);
        return entry;
    }

    /** Ends the run; it is durable and sealed when this returns. */
    public Entry finish(String stop, Optional<BlobRef> result) {
        CompletableFuture<Entry> last;
        synchronized (this) {
            replay.add(new RunFinished(stop, result, Entry.NOTHING));
            last = submit(List.of(new RunFinished(stop, result, replay.value())));
        }
        Entry entry = await(last);
        seals.note(Seals.Mark.END, entry);
        seals.await();
        return entry;
    }

    private static <T> T await(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TraceException problem) {
                throw problem;
            }
            throw e;
        }
    }
}
