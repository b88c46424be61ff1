package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.spi.Append;
import dev.glovebox.trace.spi.TraceStore;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Writes one run: owns its end, and gives each record its number, time and hash.
 *
 * <p>Many threads may record at once. A record is durable when the call returns, or when the future
 * of {@link #submit} is done. After the first one that could not be kept there are no others: they
 * would have nothing to continue.
 */
public final class Recorder {

    // A long run is noted in the log now and then, so that not all of it can be cut off unseen.
    private static final long MARK_EVERY = 1_000;

    private final TraceStore store;
    private final Seals seals;
    private final Clock clock;
    private final String run;
    private final MessageDigest digest = Digests.sha256();
    private final ByteText text = new ByteText();
    private final ReplayDigest replay = new ReplayDigest();
    private final Set<String> named = new HashSet<>();
    private final List<Blob> blobs = new ArrayList<>();
    // Each of them once: it was not named before.
    private final List<String> references = new ArrayList<>();
    private final List<BlobRef> mentioned = new ArrayList<>();
    private long seq;
    private long at;
    private String prev = Entry.NOTHING;
    private long epoch;
    private boolean finished;
    private CompletableFuture<?> latest = CompletableFuture.completedFuture("nothing yet");
    private volatile @Nullable TraceException failure;

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

    /**
     * For a run that somebody else began; the next record must be {@link Event.RunClaimed}.
     *
     * @throws Malformed if the records are not a chain: then nothing can be appended to it
     */
    static Recorder continuing(TraceStore store, Seals seals, Clock clock, String run) {
        Recorder recorder = new Recorder(store, seals, clock, run);
        Chain chain = new Chain(run);
        try {
            Tape.of(store, run, 0).forEach(entry -> recorder.take(entry, chain));
        } catch (Broken e) {
            throw new Malformed(
                    "The run " + run + " cannot be continued. " + e.verdict().sentence());
        }
        return recorder;
    }

    private void take(Entry entry, Chain chain) {
        Checked checked = Checked.of(entry.line(), digest);
        chain.add(checked);
        if (checked.mark() != null) {
            replay.add(checked.mark());
        }
        entry.references(reference -> named.add(reference.digest()));
        if (entry.type().equals(EventCodec.RUN_CLAIMED)
                && entry.event() instanceof Event.RunClaimed claimed) {
            epoch = Math.max(epoch, claimed.epoch());
        }
        finished = chain.isFinished();
        seq = entry.seq() + 1;
        at = entry.at();
        prev = entry.hash();
    }

    public String run() {
        return run;
    }

    /** How many records there are. */
    public synchronized long size() {
        return seq;
    }

    /** How often the run was taken over, until this recorder did so. */
    public long epoch() {
        return epoch;
    }

    synchronized boolean isFinished() {
        return finished;
    }

    /** Takes the run over from whoever has recorded it until now. */
    Recorder claim(String by) {
        epoch++;
        record(new Event.RunClaimed(epoch, by));
        return this;
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

    private BlobRef keep(Blob blob, String media) {
        BlobRef reference = blob.reference(media);
        return keep(blob, reference, reference.list() ? mentioned(blob.content()) : List.of());
    }

    private synchronized BlobRef keep(Blob blob, BlobRef reference, List<BlobRef> mentioned) {
        adopt(mentioned);
        if (named.add(blob.digest())) {
            blobs.add(blob);
            references.add(blob.digest());
        }
        return reference;
    }

    /**
     * Keeps a list that begins like another one by what is different; for a conversation, which is
     * sent again and again and grows at its end.
     *
     * @param base the list before; {@link KeptList#EMPTY} for the first one
     * @throws Malformed if the difference is larger than a list may be: keep large elements as
     *     blobs, and put the references into the list
     */
    public KeptList keepList(KeptList base, List<JsonNode> elements) {
        // A list of another run may be redacted there: this one does not build on it.
        KeptList own = isNamed(base.reference()) ? base : KeptList.EMPTY;
        int common = own.common(elements);
        Blob blob = Blob.of(own.difference(elements, common));
        if (blob.content().length > ListBlob.LONGEST) {
            throw ListBlob.tooLong(blob.content());
        }
        List<BlobRef> mentioned = new ArrayList<>();
        if (common > 0) {
            mentioned.add(own.reference());
        }
        // What stands before was mentioned with the list that it comes from.
        for (JsonNode element : elements.subList(common, elements.size())) {
            BlobRef.find(element, mentioned::add);
        }
        BlobRef reference = keep(blob, blob.reference(BlobRef.LIST), mentioned);
        return new KeptList(reference, Appended.copyOf(elements));
    }

    private synchronized boolean isNamed(BlobRef reference) {
        return named.contains(reference.digest());
    }

    private static List<BlobRef> mentioned(byte[] content) {
        List<BlobRef> mentioned = new ArrayList<>();
        ListBlob list = ListBlob.read(content);
        list.base().ifPresent(mentioned::add);
        list.references(content, mentioned::add);
        return mentioned;
    }

    /**
     * Names content that was kept with another run, and what it refers to, as this run's as well:
     * whoever redacts it must find this run.
     */
    private void adopt(List<BlobRef> mentioned) {
        for (BlobRef reference : mentioned) {
            if (!named.contains(reference.digest())) {
                adoptOther(reference);
            }
        }
        if (named.size() > Mentions.MOST) {
            throw new NotKept(
                    "The run " + run + " refers to " + Mentions.MOST + " blobs, which is the most");
        }
    }

    private void adoptOther(BlobRef first) {
        Deque<BlobRef> open = new ArrayDeque<>(List.of(first));
        while (!open.isEmpty()) {
            BlobRef reference = open.remove();
            if (!named.contains(reference.digest())) {
                Blob blob =
                        store.blob(reference.digest())
                                .filter(kept -> kept.problem(reference).isEmpty())
                                .orElseThrow(() -> notKept(reference));
                if (reference.list()) {
                    open.addAll(mentioned(blob.content()));
                }
                named.add(reference.digest());
                references.add(reference.digest());
            }
        }
    }

    private NotKept notKept(BlobRef reference) {
        return new NotKept(
                "The run " + run + " must not refer to content that nobody kept: " + reference);
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
    public synchronized CompletableFuture<Entry> submit(Event event) {
        TraceException before = failure;
        if (before != null) {
            return CompletableFuture.failedFuture(before);
        }
        if (finished && !(event instanceof Event.BlobRedacted)) {
            throw new IllegalStateException("The run " + run + " is finished");
        }
        if (seq >= Entry.MOST) {
            throw new NotKept("The run " + run + " has " + seq + " records, which is the most");
        }
        at = Math.max(at, Entry.micros(clock.instant()));
        mentioned.clear();
        boolean plain = EventCodec.plainReferences(event, mentioned::add);
        Entry entry = Entry.of(run, seq, at, prev, event, plain, digest, text.clear());
        if (!plain) {
            mentioned.clear();
            entry.references(mentioned::add);
        }
        adopt(mentioned);
        if (entry.derives()) {
            replay.add(entry.replayMark(digest));
        }
        finished |= event instanceof RunFinished;
        seq++;
        prev = entry.hash();
        Append append =
                new Append(List.of(entry), blobs, Set.of(references.toArray(String[]::new)));
        blobs.clear();
        references.clear();
        CompletableFuture<?> previous = latest;
        CompletableFuture<Void> stored = store.append(append);
        CompletableFuture<Entry> now =
                stored.isDone() && !stored.isCompletedExceptionally()
                        ? CompletableFuture.completedFuture(kept(entry, null))
                        : stored
                                // To the store the one behind a record that was not kept continues
                                // nothing, as if somebody else had been here.
                                .exceptionallyCompose(problem ->
                                                previous.thenCompose(kept ->
                                                        CompletableFuture.failedFuture(problem)))
                                .handle((nothing, problem) -> kept(entry, problem));
        latest = now;
        return now;
    }

    private Entry kept(Entry entry, @Nullable Throwable problem) {
        if (problem != null) {
            Throwable cause =
                    problem instanceof CompletionException && problem.getCause() != null
                            ? problem.getCause()
                            : problem;
            TraceException known =
                    cause instanceof TraceException typed
                            ? typed
                            : new NotKept("The run " + run + " could not be continued", cause);
            failure = known;
            throw known;
        }
        if (entry.seq() == 0) {
            seals.note(Seals.Mark.START, entry);
        } else if (entry.seq() % MARK_EVERY == 0) {
            seals.note(Seals.Mark.MARK, entry);
        }
        return entry;
    }

    /** Ends the run without a result; it is durable and sealed when this returns. */
    public Entry finish(String stop) {
        return finish(stop, Optional.empty());
    }

    /** Ends the run with a result; it is durable and sealed when this returns. */
    public Entry finish(String stop, BlobRef result) {
        return finish(stop, Optional.of(result));
    }

    private Entry finish(String stop, Optional<BlobRef> result) {
        CompletableFuture<Entry> last;
        synchronized (this) {
            RunFinished draft = new RunFinished(stop, result, Entry.NOTHING);
            last = submit(new RunFinished(stop, result, replay.valueWith(draft)));
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
