package dev.glovebox.run;

import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Event.RunFinished;
import dev.glovebox.trace.NoSuchRun;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Starts, resumes, replays and forks runs of graphs, and takes answers for them.
 *
 * <p>Several processes may do so over one store: whoever resumes a run owns it from then on.
 */
public final class Runs implements AutoCloseable {

    /** The kind of the small runs that answers and orders are; see {@link #answer}. */
    public static final String LETTER = Letters.KIND;

    // A node that heeds no interruption is left to the end of the process.
    private static final Duration CLOSING = Duration.ofSeconds(10);
    // For people who read a record.
    private static final String OWNER = "process " + ProcessHandle.current().pid();

    private final Trace trace;
    private final Clock clock;
    private final List<Interceptor> interceptors;
    private final Optional<Ledger> together;
    private final Letters letters;
    private final Map<String, Run<?>> live = new ConcurrentHashMap<>();
    private final Archive archive;
    private final Alarms alarms = new Alarms();
    private final Watchdog watchdog = new Watchdog();
    private final Waking waking;
    private volatile boolean closed;

    private Runs(
            Trace trace, Clock clock, List<Interceptor> interceptors, Optional<Ledger> together) {
        this.trace = trace;
        this.clock = clock;
        this.interceptors = List.copyOf(interceptors);
        this.together = together;
        this.letters = new Letters(trace);
        this.archive = new Archive(trace);
        this.waking = new Waking(trace, clock, letters, alarms, live, this::wake);
    }

    /** Runs that are recorded in a trace, which stays open when this is closed. */
    public static Runs in(Trace trace, Interceptor... interceptors) {
        return in(trace, Clock.systemUTC(), interceptors);
    }

    /** Runs with a clock of one's own, for {@link Context#now} and the time-outs of questions. */
    public static Runs in(Trace trace, Clock clock, Interceptor... interceptors) {
        return new Runs(trace, clock, List.of(interceptors), Optional.empty());
    }

    /**
     * Runs that together never use more than so much, whatever each of them may.
     *
     * @param most that they may use, with what was used before
     * @param spent how much of it was used before
     */
    public static Runs sharing(Trace trace, Cost most, Cost spent, Interceptor... interceptors) {
        return new Runs(
                trace,
                Clock.systemUTC(),
                List.of(interceptors),
                Optional.of(new Ledger(most, spent)));
    }

    public <S> Run<S> start(Graph<S> graph, S state, String title) {
        return start(graph, state, RunOptions.titled(title));
    }

    /** Starts a run; its first record is durable before it does anything to the world. */
    public <S> Run<S> start(Graph<S> graph, S state, RunOptions options) {
        if (options.isUntraced()) {
            return untraced(graph, state, options.budget());
        }
        byte[] json = Json.bytes(state, graph.state());
        // Before anything is recorded: what cannot be read again could never be run.
        Json.value(json, graph.state());
        Beginning beginning =
                new Beginning(options.budget(), graph.outline(), json, Optional.empty());
        boolean secret = options.secret() || graph.isPrivate();
        return begin(graph, beginning, options.title(), secret, Optional.empty());
    }

    /**
     * Starts a run that begins as another one did, up to one of its records, and then goes its own
     * way: with another graph, or other effects. It is private if that one was.
     *
     * @param from the first record that is not taken over; the first one of all always is
     */
    public <S> Run<S> fork(Graph<S> graph, String run, long from) {
        Tape tape = archive.tape(run, Math.max(1, from));
        Beginning origin = archive.beginning(run, tape);
        // Before anything is recorded, as in start.
        Json.value(origin.state(), graph.state());
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
        run.recorded(recorder);
        var _ = live(run);
        Journal journal =
                origin.<Journal>map(tape -> new ForkJournal(trace, tape, recorder, input[0]))
                        .orElseGet(() -> new LiveJournal(trace, Tape.blank(secret), recorder));
        work(run, () -> execute(run, new Prepared(journal, beginning, input[0])));
        return run;
    }

    /**
     * Goes on with a run that is not finished, from wherever it was left. Whoever had it before is
     * told {@link dev.glovebox.trace.Conflict}. But if it is here already, started, resumed or
     * woken by an answer, it goes on as it does, and this is the same run: with the graph that it
     * has.
     *
     * @throws NoSuchRun if there is none, or it is finished
     * @throws NotReplayable if it is no run of a graph
     */
    public <S> Run<S> resume(Graph<S> graph, String run) {
        Run<?> known = live.get(run);
        if (known != null && !waking.isLost(known)) {
            return joined(known, graph);
        }
        Run<S> resumed = new Run<>(this, graph, run);
        Tape tape = archive.tape(run);
        Beginning beginning = archive.beginning(run, tape);
        Optional<Divergence> changed = beginning.difference(graph);
        if (tape.finished().isPresent()) {
            throw new NoSuchRun("The run " + run + " is finished");
        }
        if (changed.isPresent()) {
            return resumed.differing(changed.get());
        }
        Run<?> first = live(resumed);
        if (first != resumed) {
            return joined(first, graph);
        }
        takeOver(resumed);
        return resumed;
    }

    /** Now, and not soon: of two who resume a run one after the other it is the second one's. */
    private <S> void takeOver(Run<S> run) {
        Recorder recorder;
        try {
            if (closed) {
                live.remove(run.name(), run);
                run.fail(new Suspended(run.name()));
                return;
            }
            recorder = trace.resume(run.name(), OWNER);
        } catch (RuntimeException e) {
            live.remove(run.name(), run);
            run.fail(e);
            throw e;
        }
        work(run, () -> execute(run, continued(run, recorder)));
    }

    /** A run that this engine has, for somebody who wants to go on with it. */
    @SuppressWarnings("unchecked") // Its state is of the same class.
    private <S> Run<S> joined(Run<?> known, Graph<S> graph) {
        Optional<Divergence> changed = Outline.difference(known.graph().outline(), graph.outline());
        Class<?> state = known.graph().state();
        if (changed.isEmpty() && state != graph.state()) {
            changed =
                    Optional.of(
                            new Divergence(
                                    "the graph",
                                    "its state",
                                    state.getSimpleName(),
                                    graph.state().getSimpleName()));
        }
        if (changed.isPresent()) {
            return new Run<>(this, graph, known.name()).differing(changed.get());
        }
        waking.visit(known);
        return (Run<S>) known;
    }

    /** Has a run here from now on, unless there is one of its name; which one is here then. */
    private Run<?> live(Run<?> run) {
        Run<?> known = live.putIfAbsent(run.name(), run);
        if (closed) {
            // Whoever closes it may not have seen this one.
            var _ = run.leave();
        }
        return known == null ? run : known;
    }

    /** What a walk needs beside its graph. */
    private record Prepared(Journal journal, Beginning beginning, BlobRef input) {}

    /** Goes on with a run that nobody has taken over since it was here. */
    private Prepared continued(Run<?> run) {
        return continued(run, trace.resume(run.name(), OWNER, run.epoch()));
    }

    /** Reads what was recorded until a run was taken over. */
    private Prepared continued(Run<?> resumed, Recorder recorder) {
        String run = resumed.name();
        resumed.recorded(recorder);
        letters.find(run, Letters.CANCEL)
                .ifPresent(order -> resumed.halt(new StopReason.Cancelled(order.by())));
        Tape tape = archive.tape(run);
        return new Prepared(
                new LiveJournal(trace, tape, recorder),
                archive.beginning(run, tape),
                tape.started().input());
    }

    private <S> Run<S> untraced(Graph<S> graph, S state, Budget budget) {
        Run<S> run = new Run<>(this, graph, "untraced-" + UUID.randomUUID());
        var _ = live(run);
        Instant deadline = Instant.now().plus(budget.wall());
        walk(
                run,
                new Untraced<>(run, state, budget, interceptors, together, clock, deadline),
                deadline);
        return run;
    }

    private <S> void walk(Run<S> run, Untraced<S> untraced, Instant deadline) {
        Runnable successor =
                () -> {
                    if (succeeded(run)) {
                        walk(run, untraced, deadline);
                    }
                };
        work(
                run,
                () -> {
                    Budget budget = untraced.budget();
                    Duration left = Duration.between(Instant.now(), deadline);
                    Scope scope = run.scope();
                    try (Watchdog.Post post = watchdog.post(scope)) {
                        return within(
                                left, budget, scope, any -> untraced.run(scope, post, successor));
                    }
                });
    }

    /** Takes a run from a thread that does not come back; whether it is to go on here. */
    private boolean succeeded(Run<?> run) {
        if (run.scope().isSuspended()) {
            live.remove(run.name(), run);
            run.fail(new Suspended(run.name()));
            return false;
        }
        run.renew();
        return true;
    }

    private <S> void work(Run<S> run, Supplier<Status<S>> walk) {
        Thread.ofVirtual()
                .name("glovebox " + run.name())
                .start(() -> {
                    try {
                        rest(run, walk.get());
                    } catch (Unwinding.Left e) {
                        // Somebody else goes on with it.
                    } catch (Throwable e) {
                        live.remove(run.name(), run);
                        try {
                            passOn(run, e);
                        } finally {
                            run.fail(e);
                        }
                    }
                });
    }

    /** An order to stop that came here is for whoever has the run, if that is somebody else. */
    private void passOn(Run<?> run, Throwable problem) {
        if (problem instanceof Conflict
                && run.scope().reason().orElse(null) instanceof StopReason.Cancelled(String by)
                && !run.scope().isSuspended()) {
            cancel(run.name(), by);
        }
    }

    private <S> Status<S> execute(Run<S> run, Prepared prepared) {
        Journal journal = prepared.journal();
        Budget budget = prepared.beginning().budget();
        Duration left = budget.wall().minus(journal.tape().worked());
        Scope scope = run.scope();
        Runnable successor =
                () -> {
                    if (succeeded(run)) {
                        work(run, () -> execute(run, continued(run)));
                    }
                };
        try (Watchdog.Post post = watchdog.post(scope)) {
            return within(
                    left,
                    budget,
                    scope,
                    deadline ->
                            walked(
                                    run.name(),
                                    scope,
                                    new Execution<>(
                                            run.graph(),
                                            journal,
                                            prepared.beginning(),
                                            prepared.input(),
                                            interceptors,
                                            together,
                                            clock,
                                            deadline,
                                            new Results(journal),
                                            Optional.of(post),
                                            successor)));
        }
    }

    private <S> Status<S> walked(String run, Scope scope, Execution<S> execution) {
        Status<S> status = execution.run(scope);
        if (status instanceof Status.Finished) {
            // An answer that came too late would be found, and be for nobody, at each look.
            execution.unanswered().forEach(question -> letters.read(run, question));
        }
        return status;
    }

    /** Walks until there is no time left. */
    private <T> T within(Duration left, Budget budget, Scope scope, Function<Instant, T> walk) {
        if (closed) {
            scope.suspend();
        }
        StopReason late = new StopReason.TimedOut(budget.wall());
        if (!left.isPositive()) {
            scope.cancel(late);
        }
        Future<?> alarm = alarms.after(left, () -> scope.cancel(late));
        try {
            return walk.apply(Instant.now().plus(left));
        } finally {
            alarm.cancel(false);
        }
    }

    private <S> void rest(Run<S> run, Status<S> status) {
        if (!(status instanceof Status.Waiting<S> waiting)) {
            if (status.stop().filter(StopReason.Cancelled.class::isInstance).isPresent()) {
                letters.read(run.name(), Letters.CANCEL);
            }
            live.remove(run.name(), run);
            var _ = run.rest(status);
            return;
        }
        if (!run.rest(status)) {
            run.renew();
            work(run, () -> execute(run, continued(run)));
            return;
        }
        waking.begin(run, waiting);
    }

    private <S> void wake(Run<S> run) {
        if (run.wake()) {
            work(run, () -> execute(run, continued(run)));
        }
    }

    /**
     * Looks now whether somebody has answered, or it is too late for that, or somebody else goes on
     * with a run whose end is awaited here.
     */
    public void poll() {
        waking.poll();
    }

    /** Tells whoever waits for the end of a run that it went on elsewhere, if it did. */
    void visitAwaited(Run<?> run) {
        waking.visitAwaited(run);
    }

    /** The questions that a run waits for, whoever works on it. */
    public List<OpenQuestion> questions(String run) {
        return archive.questions(run).stream()
                .filter(question -> letters.find(run, question.key()).isEmpty())
                .toList();
    }

    /**
     * Answers a question of a run, whoever works on it.
     *
     * @param by who answers, for the record
     * @throws AlreadyAnswered if somebody has
     * @throws IllegalArgumentException if the run asks no such thing or gives other choices, or
     *     nobody can be called that
     */
    public void answer(String run, String question, String answer, String by) {
        OpenQuestion open =
                archive.questions(run).stream()
                        .filter(one -> one.key().equals(question))
                        .findFirst()
                        .orElseThrow(() -> notAsked(run, question));
        List<String> choices = open.question().choices();
        if (!choices.isEmpty() && !choices.contains(answer)) {
            throw new IllegalArgumentException(
                    "'" + answer + "' is not among the choices " + choices);
        }
        if (by.equals(Answer.TIME_OUT)) {
            throw new IllegalArgumentException("Nobody is called '" + by + "'");
        }
        if (!letters.post(run, question, new Answer(answer, by))) {
            throw new AlreadyAnswered(run, question);
        }
        Run<?> here = live.get(run);
        if (here != null) {
            waking.visit(here);
        }
    }

    private RuntimeException notAsked(String run, String question) {
        return letters.find(run, question).isPresent()
                ? new AlreadyAnswered(run, question)
                : new IllegalArgumentException("The run " + run + " does not ask " + question);
    }

    /**
     * Ends a run, whoever works on it; one that nobody works on ends when it is resumed. Nothing
     * happens to one that is finished.
     *
     * @param by who wants that, for the record
     * @throws NoSuchRun if there is none
     */
    public void cancel(String run, String by) {
        Run<?> here = live.get(run);
        if (here != null && here.halt(new StopReason.Cancelled(by))) {
            return;
        }
        if (trace.run(run).finishedAt().isEmpty()) {
            letters.post(run, Letters.CANCEL, new Answer("", by));
        }
        if (here != null) {
            waking.visit(here);
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
        Tape tape = archive.tape(run);
        Beginning beginning = archive.beginning(run, tape);
        ReplayJournal journal = new ReplayJournal(trace, tape, run);
        Repetition repetition = new Repetition(journal, repeated);
        Optional<Divergence> divergence = beginning.difference(graph);
        if (divergence.isEmpty()) {
            divergence =
                    new Execution<>(
                                    graph,
                                    journal,
                                    beginning,
                                    tape.started().input(),
                                    List.of(),
                                    Optional.empty(),
                                    clock,
                                    Instant.MAX,
                                    repetition,
                                    Optional.empty(),
                                    () -> {})
                            .replay();
        }
        return new Replay(
                run,
                divergence,
                tape.finished().map(RunFinished::replayDigest),
                journal.digest(),
                repetition.repeated());
    }

    /** Suspends what is going on; it can be resumed. */
    @Override
    public void close() {
        closed = true;
        waking.close();
        alarms.close();
        together.ifPresent(Ledger::close);
        suspendAll();
        watchdog.close();
    }

    /** Tells all before it waits for any: none begins anything new meanwhile. */
    private void suspendAll() {
        CompletableFuture<?>[] ends =
                live.values().stream()
                        .map(run -> run.leave().handle((any, problem) -> true))
                        .toArray(CompletableFuture<?>[]::new);
        CompletableFuture.allOf(ends)
                .completeOnTimeout(null, CLOSING.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }
}
