package dev.glovebox.trace;

import dev.glovebox.trace.Event.BlobRedacted;
import dev.glovebox.trace.Event.RunStarted;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The traces of one installation: records runs, reads them, proves them.
 *
 * <p>Many threads and several processes may use one installation at once.
 */
public final class Trace implements AutoCloseable {

    // Whoever takes over a run that is being recorded may have to run after it for a while.
    private static final int ATTEMPTS = 1_000;

    private final TraceStore store;
    private final SigningKeys keys;
    private final LogWriter log;
    private final Notary notary;
    private final Clock clock;
    private final RunNames names;

    private Trace(TraceStore store, Path keys, Clock clock) {
        this.store = store;
        this.clock = clock;
        this.keys = new SigningKeys(keys);
        this.log =
                new LogWriter(
                        store, this.keys, new FrontierNote(keys.resolve("frontier.json")), clock);
        this.notary = new Notary(store, log, clock);
        this.names = new RunNames(clock);
    }

    /**
     * Opens what a store holds; the store is closed with it.
     *
     * @param keys the folder of the keys, which are made when the first one is needed
     */
    public static Trace open(TraceStore store, Path keys) {
        return open(store, keys, Clock.systemUTC());
    }

    /** Opens what a store holds, with a clock of one's own, which records are stamped with. */
    public static Trace open(TraceStore store, Path keys, Clock clock) {
        return new Trace(store, keys, clock);
    }

    /**
     * Begins a run; its first record is durable when this returns.
     *
     * @param kind what kind of run it is, such as {@code exec}
     * @param title one line for people; nothing private: it cannot be redacted
     * @param input what it is given
     */
    public Recorder start(String kind, String title, byte[] input, String media) {
        Recorder recorder = Recorder.fresh(store, notary, clock, names.next());
        return started(recorder, kind, title, recorder.keep(input, media));
    }

    /**
     * Begins a run without waiting: its first record is durable when a later one is.
     *
     * @param input what the run is given, kept with the recorder
     */
    @SuppressWarnings("FutureReturnValueIgnored") // The recorder remembers it.
    public Recorder begin(String kind, String title, Function<Recorder, BlobRef> input) {
        Recorder recorder = Recorder.fresh(store, notary, clock, names.next());
        recorder.submit(new RunStarted(kind, title, input.apply(recorder), Software.NAME));
        return recorder;
    }

    /**
     * Begins a run of a given name, which only one can be the first to do; durable when this
     * returns.
     *
     * @param input what the run is given, kept with the recorder
     * @throws Conflict if there is such a run
     */
    public Recorder startAs(
            String run, String kind, String title, Function<Recorder, BlobRef> input) {
        Recorder recorder = Recorder.fresh(store, notary, clock, run);
        return started(recorder, kind, title, input.apply(recorder));
    }

    /** Begins a run with an input that is private. */
    public Recorder startPrivate(String kind, String title, byte[] input, String media) {
        Recorder recorder = Recorder.fresh(store, notary, clock, names.next());
        return started(recorder, kind, title, recorder.keepPrivate(input, media));
    }

    private static Recorder started(Recorder recorder, String kind, String title, BlobRef input) {
        recorder.record(new RunStarted(kind, title, input, Software.NAME));
        return recorder;
    }

    /**
     * Takes over a run that is not finished; whoever recorded it before gets {@link Conflict}.
     *
     * @param by who does that, for people
     * @throws NoSuchRun if there is none, or it is finished
     */
    public Recorder resume(String run, String by) {
        return resume(run, by, any -> true);
    }

    /**
     * Goes on with a run that one has left for a while.
     *
     * @param by who does that, for people
     * @param epoch of one's own recorder then
     * @throws Conflict if somebody has taken it over since
     * @throws NoSuchRun if there is none, or it is finished
     */
    public Recorder resume(String run, String by, long epoch) {
        return resume(run, by, recorder -> recorder.epoch() == epoch);
    }

    private Recorder resume(String run, String by, Predicate<Recorder> mine) {
        for (int attempt = 1; ; attempt++) {
            Recorder recorder = Recorder.continuing(store, notary, clock, row(run).run());
            if (!mine.test(recorder)) {
                throw new Conflict(run, recorder.size());
            }
            if (recorder.isFinished()) {
                throw new NoSuchRun("The run " + run + " is finished");
            }
            try {
                return recorder.claim(by);
            } catch (Conflict e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** The records of a run from a number on, read as they are asked for. */
    public Stream<Entry> entries(String run, long from) {
        return Tape.of(store, row(run).run(), from);
    }

    /** Content by its digest; empty if nobody kept it, or it was redacted. */
    public Optional<Blob> blob(String digest) {
        return store.blob(digest);
    }

    /**
     * The elements of a list that was kept by its differences.
     *
     * @throws NotKept if some of it is gone
     */
    public KeptList list(BlobRef reference) {
        return new ListReader(store).read(reference);
    }

    /** Runs, newest first. */
    public List<RunRow> runs(RunQuery query) {
        return store.runs(query);
    }

    /**
     * The run of a name, of the beginning of one, or the {@code last} one.
     *
     * @throws NoSuchRun if there is none, or more than one
     */
    public RunRow run(String name) {
        return new RunSearch(store).find(name);
    }

    private RunRow row(String run) {
        return store.run(run).orElseThrow(() -> new NoSuchRun("There is no run " + run));
    }

    /**
     * Gives the records of a run, from a number on, to somebody, also those to come.
     *
     * @param toTheEnd whether that ends when the run is finished
     */
    public Subscription subscribe(
            String run, long from, boolean toTheEnd, Consumer<Entry> consumer) {
        return Subscription.begin(store, row(run).run(), from, toTheEnd, consumer);
    }

    /** Gives all records of a run to somebody until it is finished; its first one may yet come. */
    public Subscription follow(String run, Consumer<Entry> consumer) {
        return Subscription.begin(store, run, 0, true, consumer);
    }

    /** Calls back, at some moment after, whenever something may have been recorded by anyone. */
    public TraceStore.Watch watch(Runnable news) {
        return store.watch(news);
    }

    /**
     * Deletes content for good, and records in every run that refers to it that this was done.
     *
     * @return those runs
     * @throws NoSuchRun if no run refers to it, or one that is not finished
     */
    public Set<String> redact(String digest, String reason) {
        Set<String> runs;
        do {
            runs = new TreeSet<>(store.referring(digest));
            recordRedaction(runs, digest, reason);
            // Last: content that is gone without a record of it would be tampering. A run that has
            // named it since has no such record, and is the reason to begin again.
        } while (!store.erase(digest, runs));
        notary.await();
        return runs;
    }

    private void recordRedaction(Set<String> runs, String digest, String reason) {
        if (runs.isEmpty()) {
            throw new NoSuchRun("No run refers to the blob " + digest);
        }
        for (String run : runs) {
            if (row(run).finishedAt().isEmpty()) {
                throw new NoSuchRun(
                        "The run "
                                + run
                                + " is not finished, and needs the blob; redact it afterwards");
            }
        }
        runs.forEach(run -> recordRedaction(run, digest, reason));
    }

    private void recordRedaction(String run, String digest, String reason) {
        for (int attempt = 1; ; attempt++) {
            if (Tape.redacts(store, run, 0, digest)) {
                return;
            }
            Recorder recorder = Recorder.continuing(store, notary, clock, run);
            try {
                noteEnd(run);
                notary.note(Seals.Mark.MARK, recorder.record(new BlobRedacted(digest, reason)));
                return;
            } catch (Conflict e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    /** Whoever ended the run may have died before; behind a later mark nobody looks for it. */
    private void noteEnd(String run) {
        OptionalLong noted = row(run).noted();
        Tape.of(store, run, noted.isPresent() ? noted.getAsLong() + 1 : 0)
                .filter(entry -> entry.type().equals(EventCodec.RUN_FINISHED))
                .forEach(entry -> notary.note(Seals.Mark.END, entry));
    }

    /** The key that signs here; made if there is none. Keep it elsewhere, to check exports with. */
    public VerifyingKey key() {
        return keys.current().verifying();
    }

    /** Replaces the key that signs; what the old one has signed stays verifiable. */
    public VerifyingKey rotate() {
        return log.rotate();
    }

    /**
     * The latest signed state of the log, as one line to keep elsewhere; empty if nothing was
     * recorded yet. See {@link #verifyAll(byte[])}.
     */
    public Optional<byte[]> head() {
        return store.head().map(SignedHead::line);
    }

    /**
     * Checks a run where it is kept, believing this installation's key. That it is intact is proved
     * by the head of the log; that the log says nothing else of it is for {@link #verifyAll}.
     */
    public Verdict verify(String run) {
        return verify(run, List.of(key()));
    }

    /** Checks a run where it is kept, believing some keys. */
    public Verdict verify(String run, Collection<VerifyingKey> trusted) {
        StoredCheck check = new StoredCheck(store, trusted);
        try {
            // What is not intact may have been more: only the whole log knows.
            return intact(check, run).orElseGet(() -> check.check(run, wholeEvidence(run)));
        } catch (Broken e) {
            return e.verdict();
        }
    }

    private Optional<Verdict> intact(StoredCheck check, String run) {
        try {
            return Optional.of(check.check(run, evidence(run)))
                    .filter(Verdict.Intact.class::isInstance);
        } catch (NoSuchRun e) {
            return Optional.empty();
        }
    }

    /** Checks the whole log, and every run. */
    public Audit verifyAll() {
        return new Auditor(store, keys, List.of(key())).audit(Optional.empty());
    }

    /**
     * Checks the whole log and every run, and that nothing was removed or rewritten since somebody
     * kept a head.
     *
     * @throws Malformed if it is no head
     */
    public Audit verifyAll(byte[] keptHead) {
        return new Auditor(store, keys, List.of(key()))
                .audit(Optional.of(SignedHead.read(keptHead)));
    }

    /** Writes a run as one file that needs nothing else. */
    public void export(String run, OutputStream out) throws IOException {
        try {
            // The log first: what it says must be among the records.
            Evidence evidence = evidence(run);
            new Export(store, out).write(row(run), evidence);
        } catch (Broken e) {
            throw new NotKept("The run " + run + " cannot be exported. " + e.verdict().sentence());
        }
    }

    private Evidence evidence(String run) {
        try {
            LogExcerpt excerpt = new LogExcerpt(store);
            List<Signed> rotations = excerpt.inEffect(store.rotations());
            return Evidence.of(excerpt.seals(run), rotations, new KeyRing(keys, rotations));
        } catch (Broken e) {
            // The whole log knows better what is wrong.
            return wholeEvidence(run);
        }
    }

    private Evidence wholeEvidence(String run) {
        LogView view = new LogView(store);
        List<Signed> rotations = view.inEffect(store.rotations());
        return Evidence.of(view.seals(run), rotations, new KeyRing(keys, rotations));
    }

    /** Seals what was recorded, and closes the store. */
    @Override
    public void close() {
        try (store) {
            notary.close();
        }
    }
}
