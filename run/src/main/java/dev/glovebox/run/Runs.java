package dev.glovebox.run;

import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.TraceStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Starts, resumes, replays and forks runs of graphs, and takes answers for them.
 *
 * <p>Several processes may do so over one store: whoever resumes a run owns it from then on.
 */
public final class Runs implements AutoCloseable {

    // No timer and no deadline for what is longer.
    private static final Duration LONGEST = Duration.ofDays(3_650);

    private final Trace trace;
    private final Clock clock;
    private final List<Interceptor> interceptors;
    private final Letters letters;
    private final Map<String, Run<?>> live = new ConcurrentHashMap<>();
    private final ScheduledExecutorService timer;
    private final Mail mail;
    private final TraceStore.Watch watch;
    private volatile boolean closed;

    private Runs(Trace trace, Clock clock, List<Interceptor> interceptors) {
        this.trace = trace;
        this.clock = clock;
        this.interceptors = List.copyOf(interceptors);
        this.letters = new Letters(trace);
        this.timer =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().daemon().name("glovebox timer").factory());
        this.mail = new Mail(this::deliver);
        this.watch = trace.watch(mail::news);
    }

    /** Runs that are recorded in a trace, which stays open when this is closed. */
    public static Runs in(Trace trace, Interceptor... interceptors) {
        return in(trace, Clock.systemUTC(), interceptors);
    }

    /** Runs with a clock of one's own, for {@link Context#now} and the time-outs of questions. */
    public static Runs in(Trace trace, Clock clock, Interceptor... interceptors) {
        return new Runs(trace, clock, List.of(interceptors));
    }

    public <S> Run<S> start(Graph<S> graph, S state, String title) {
        return start(graph, state, RunOptions.titled(title));
    }

    /** Starts a run; its first record is durable before it does anything to the world. */
    public <S> Run<S> start(Graph<S> graph, S state, RunOptions options) {
        Beginning beginning =
                new Beginning(
                        options.budget(), graph.outline(), Json.bytes(state), Optional.empty());
        return begin(graph, beginning, options.title(), options.secret(), Optional.empty());
    }

    /**
     * Starts a run that begins as another one did, up to one of its records, and then goes its own
     * way: with another graph, or other effects.
     *
     * @param from the first record that is not taken over
     */
    public <S> Run<S> fork(Graph<S> graph, String run, long from) {
        Tape tape = tape(run, from);
        Beginning origin = beginning(run, tape);
        Beginning beginning =
                new Beginning(
                        origin.budget(),
                        graph.outline(),
                        origin.state(),
                        Optional.of(new Beginning.Origin(run, from)));
        String title = tape.started().title();
        return begin(graph, beginning, title, tape.isSecret(), Optional.of(tape));
    }

    private <S> Run<S> begin(
            Graph<S> graph,
            Beginning beginning,
            String title,
            boolean secret,
            Optional<Tape> origin) {
        BlobRef[] input = new BlobRef[1];
        Recorder recorder =
                trace.begin(
                        graph.name(),
                        Details.clean(title),
                        own -> {
                            byte[] json = beginning.json();
                            input[0] =
                                    secret
                                            ? own.keepPrivate(json, BlobRef.JSON)
                                            : own.keep(json, BlobRef.JSON);
                            return input[0];
                        });
        Run<S> run = new Run<>(this, graph, recorder.run());
        live.put(run.name(), run);
        Journal journal =
                origin.<Journal>map(tape -> new ForkJournal(trace, tape, recorder))
                        .orElseGet(() -> new LiveJournal(trace, Tape.blank(secret), recorder));
        work(run, () -> new Prepared(journal, beginning, input[0]));
        return run;
    }

    /**
     * Goes on with a run that is not finished, from wherever it was left. If this process has it
     * already, nothing happens to it.
     *
     * @throws NoSuchRun if there is none, or it is finished
     * @throws NotReplayable if it is no run of a graph
     */
    @SuppressWarnings("unchecked") // It was started with a graph of this name and state.
    public <S> Run<S> resume(Graph<S> graph, String run) {
        Run<?> known = live.get(run);
        if (known != null && known.graph() == graph) {
            wake(known);
            return (Run<S>) known;
        }
        Run<S> resumed = new Run<>(this, graph, run);
        Tape tape = tape(run, Long.MAX_VALUE);
        Beginning beginning = beginning(run, tape);
        Optional<Divergence> changed = Outline.difference(beginning.graph(), graph.outline());
        if (tape.finished().isPresent()) {
            throw new NoSuchRun("The run " + run + " is finished");
        }
        if (changed.isPresent()) {
            resumed.rest(new Status.Differs<>(run, changed.get()));
            return resumed;
        }
        live.put(run, resumed);
        work(resumed, () -> continued(resumed));
        return resumed;
    }

    /** What a walk needs beside its graph. */
    private record Prepared(Journal journal, Beginning beginning, BlobRef input) {}

    private interface Preparation {
        Prepared prepare();
    }

    /** Takes a run over, and reads what was recorded until then. */
    private Prepared continued(Run<?> resumed) {
        String run = resumed.name();
        letters.find(run, Letters.CANCEL)
                .ifPresent(order -> resumed.halt(new StopReason.Cancelled(order.by())));
        Recorder recorder = trace.resume(run, "process " + ProcessHandle.current().pid());
        Tape tape = tape(run, Long.MAX_VALUE);
        return new Prepared(
                new LiveJournal(trace, tape, recorder),
                beginning(run, tape),
                tape.started().input());
    }

    private <S> void work(Run<S> run, Preparation preparation) {
        Thread.ofVirtual()
                .name("glovebox " + run.name())
                .start(() -> {
                    try {
                        rest(run, execute(run, preparation.prepare()));
                    } catch (Throwable e) {
                        live.remove(run.name(), run);
                        run.fail(e);
                    }
                });
    }

    private <S> Status<S> execute(Run<S> run, Prepared prepared) {
        Journal journal = prepared.journal();
        Budget budget = prepared.beginning().budget();
        Duration left = budget.wall().minus(journal.tape().worked());
        Scope scope = run.scope();
        if (closed) {
            scope.suspend();
        }
        Future<?> alarm = after(left, () -> scope.cancel(new StopReason.TimedOut(budget.wall())));
        try {
            return new Execution<>(
                            run.graph(),
                            journal,
                            prepared.beginning(),
                            prepared.input(),
                            interceptors,
                            clock,
                            Instant.now().plus(left),
                            new Results(journal),
                            false)
                    .run(scope);
        } finally {
            alarm.cancel(false);
        }
    }

    private Future<?> after(Duration time, Runnable what) {
        return time.compareTo(LONGEST) > 0
                ? CompletableFuture.completedFuture(true)
                : timer.schedule(what, Math.max(0, time.toMillis()), TimeUnit.MILLISECONDS);
    }

    private <S> void rest(Run<S> run, Status<S> status) {
        if (!(status instanceof Status.Waiting<S> waiting)) {
            live.remove(run.name(), run);
            run.rest(status);
            return;
        }
        run.rest(status);
        // What came between the last look and now nobody else would notice.
        visit(run);
        for (OpenQuestion question : waiting.questions()) {
            question.until()
                    .ifPresent(until -> {
                        var _ = after(Duration.between(clock.instant(), until), () -> visit(run));
                    });
        }
    }

    private void wake(Run<?> run) {
        if (run.wake()) {
            work(run, () -> continued(run));
        }
    }

    /** Looks whether there is something for a run: an order to stop, an answer, a time-out. */
    private void visit(Run<?> run) {
        Optional<Answer> order = letters.find(run.name(), Letters.CANCEL);
        if (order.isPresent() && run.halt(new StopReason.Cancelled(order.get().by()))) {
            return;
        }
        boolean due =
                run.questions().stream()
                        .anyMatch(question ->
                                question.until()
                                                .filter(until -> !clock.instant().isBefore(until))
                                                .isPresent()
                                        || letters.find(run.name(), question.key()).isPresent());
        if (due || order.isPresent()) {
            wake(run);
        }
    }

    private void deliver() {
        for (String name : live.isEmpty() ? List.<String>of() : letters.addressees()) {
            Run<?> run = live.get(name);
            if (run != null) {
                visit(run);
            }
        }
    }

    /**
     * Looks now whether somebody has answered, or it is too late for that. This happens by itself;
     * it is for those who set the clock.
     */
    public void poll() {
        live.values().forEach(this::visit);
    }

    /** The questions that a run waits for, whoever works on it. */
    public List<OpenQuestion> questions(String run) {
        return open(run).stream()
                .filter(question -> letters.find(run, question.key()).isEmpty())
                .toList();
    }

    /**
     * Answers a question of a run, whoever works on it.
     *
     * @param by who answers, for the record
     * @throws AlreadyAnswered if somebody has
     * @throws IllegalArgumentException if the run asks no such thing, or gives other choices
     */
    public void answer(String run, String question, String answer, String by) {
        OpenQuestion open =
                open(run).stream()
                        .filter(one -> one.key().equals(question))
                        .findFirst()
                        .orElseThrow(() -> notAsked(run, question));
        List<String> choices = open.question().choices();
        if (!choices.isEmpty() && !choices.contains(answer)) {
            throw new IllegalArgumentException(
                    "'" + answer + "' is not among the choices " + choices);
        }
        if (!letters.post(run, question, new Answer(answer, by))) {
            throw new AlreadyAnswered(run, question);
        }
        Run<?> here = live.get(run);
        if (here != null) {
            visit(here);
        }
    }

    private List<OpenQuestion> open(String run) {
        return Desk.open(new ReplayJournal(trace, tape(run, Long.MAX_VALUE), run));
    }

    private RuntimeException notAsked(String run, String question) {
        return letters.find(run, question).isPresent()
                ? new AlreadyAnswered(run, question)
                : new IllegalArgumentException("The run " + run + " does not ask " + question);
    }

    /**
     * Ends a run, whoever works on it; one that nobody works on ends when it is resumed.
     *
     * @param by who wants that, for the record
     */
    public void cancel(String run, String by) {
        letters.post(run, Letters.CANCEL, new Answer("", by));
        Run<?> here = live.get(run);
        if (here != null) {
            visit(here);
        }
    }

    /**
     * Runs a graph again as a run was recorded, without doing anything to the world: what was
     * observed comes from the record, what is derived must be the same.
     */
    public <S> Replay replay(Graph<S> graph, String run) {
        return replay(graph, run, Set.of());
    }

    /**
     * Replays a run, and really repeats its effects of some kinds.
     *
     * @param repeated kinds of effects
     */
    public <S> Replay replay(Graph<S> graph, String run, Set<String> repeated) {
        Tape tape = tape(run, Long.MAX_VALUE);
        Beginning beginning = beginning(run, tape);
        ReplayJournal journal = new ReplayJournal(trace, tape, run);
        Repetition repetition = new Repetition(journal, repeated);
        Optional<Divergence> divergence = Outline.difference(beginning.graph(), graph.outline());
        if (divergence.isEmpty()) {
            divergence =
                    new Execution<>(
                                    graph,
                                    journal,
                                    beginning,
                                    tape.started().input(),
                                    List.of(),
                                    clock,
                                    Instant.MAX,
                                    repetition,
                                    true)
                            .replay();
        }
        return new Replay(
                run,
                divergence,
                tape.finished().map(RunFinished::replayDigest),
                journal.digest(),
                repetition.repeated());
    }

    private Tape tape(String run, long to) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return Tape.of(entries.takeWhile(entry -> entry.seq() < to));
        }
    }

    private Beginning beginning(String run, Tape tape) {
        BlobRef input = tape.started().input();
        return Beginning.read(
                run,
                trace.blob(input.digest())
                        .orElseThrow(() ->
                                new NotReplayable("What the run " + run + " was given was deleted"))
                        .content());
    }

    /** Suspends what is going on; it can be resumed. */
    @Override
    public void close() {
        closed = true;
        watch.close();
        mail.close();
        timer.shutdownNow();
        for (Run<?> run : List.copyOf(live.values())) {
            run.suspend();
        }
    }
}
