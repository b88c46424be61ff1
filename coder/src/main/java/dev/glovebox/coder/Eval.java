package dev.glovebox.coder;

import dev.glovebox.run.Conclusion;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.run.Suspended;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunRow;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Tries a pipeline on all problems of a corpus, each in a run of its own.
 *
 * <p>The traces are all that is kept: which problems are done is read from them, so whoever is
 * interrupted goes on under the same name, and nothing is done twice.
 */
public final class Eval {

    /** Where the code comes from. */
    public enum Writer {
        /** The pipeline writes it. */
        CODER,
        /** It is the solution of the corpus. */
        ORACLE,
        /** It is the solution of the corpus with a mistake in it. */
        ORACLE_WITH_BUGS
    }

    // These say something of the place and not of the code: the problem is still to be tried.
    private static final Set<String> NOT_TRIED =
            Set.of("budget-exhausted", "cancelled", "not-enforceable", "model-failed");
    private static final String TITLE = "eval ";
    private static final int PROOF_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Corpus corpus;
    private final Writer writer;
    private final Settings settings;
    private final Pipeline pipeline;
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicReference<@Nullable StopReason> unanswered = new AtomicReference<>();

    public Eval(Corpus corpus, Writer writer, Settings settings, Pipeline pipeline) {
        this.corpus = corpus;
        this.writer = writer;
        this.settings = settings;
        this.pipeline = pipeline;
    }

    /** A new name for an evaluation like this. */
    public String name() {
        byte[] random = new byte[3];
        RANDOM.nextBytes(random);
        return likeness() + "-" + HexFormat.of().formatHex(random);
    }

    /** Whether a name is that of an evaluation with the same corpus, roles and settings. */
    public boolean isNamed(String name) {
        return name.matches("[0-9a-f]{8}-[0-9a-f]{6}") && name.startsWith(likeness());
    }

    private String likeness() {
        String all = corpus.digest() + "\n" + writer + "\n" + settings;
        return Blob.of(all.getBytes(StandardCharsets.UTF_8)).digest().substring(0, 8);
    }

    /** Is told how far it is; by many threads. */
    @FunctionalInterface
    public interface Watcher {

        /** A problem has been tried, with so many attempts. */
        void tried(String task, boolean solved, int attempts);
    }

    /**
     * What kept it from being all that it should be.
     *
     * @param stopped why not all problems were tried: no wall here can enforce the policy, a budget
     *     is used up, or no model answered for any of them
     * @param unsealed why runs are not sealed, though all of them is recorded
     */
    public record Lack(Optional<StopReason> stopped, Optional<String> unsealed) {

        private static final Lack NOTHING = new Lack(Optional.empty(), Optional.empty());

        private Lack and(Lack other) {
            return new Lack(stopped.or(other::stopped), unsealed.or(other::unsealed));
        }
    }

    /** What all runs under a name have used so far. */
    public static Cost spent(Trace trace, String name) {
        return Stats.rows(trace, Optional.of(title(name))).stream()
                .filter(row -> row.title().startsWith(title(name)))
                .map(row -> RecordedRun.of(trace, row.run()).spent())
                .reduce(Cost.NONE, Cost::plus);
    }

    /**
     * Tries what has not been tried under this name yet. Nothing more is begun once no wall here
     * can enforce the policy, or a budget is used up.
     *
     * @param jobs how many at once
     * @throws Suspended if the runs were closed meanwhile
     * @throws dev.glovebox.trace.TraceException if one of them could not be recorded any more
     */
    public Lack run(Trace trace, Runs runs, String name, int jobs, Watcher watcher) {
        Map<String, RunRow> known = rows(trace, name);
        List<Future<Lack>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(jobs)) {
            for (int i = 0; i < corpus.tasks().size(); i++) {
                int number = i;
                CorpusTask task = corpus.tasks().get(i);
                Optional<RunRow> row = Optional.ofNullable(known.get(task.id()));
                if (row.filter(Eval::isTried).isEmpty()) {
                    all.add(threads.submit(() -> run(trace, runs, name, number, row, watcher)));
                }
            }
            Lack lack = first(all);
            return tried(trace, name) == 0 ? lack.and(unanswered()) : lack;
        }
    }

    /**
     * One model that did not answer says nothing of the others; all of them, that there was none.
     */
    private Lack unanswered() {
        return new Lack(Optional.ofNullable(unanswered.get()), Optional.empty());
    }

    private Lack first(List<Future<Lack>> all) {
        Lack lack = Lack.NOTHING;
        try {
            for (Future<Lack> one : all) {
                lack = lack.and(one.get());
            }
            return lack;
        } catch (InterruptedException e) {
            stopped.set(true);
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while problems were tried", e);
        } catch (ExecutionException e) {
            stopped.set(true);
            throw e.getCause() instanceof RuntimeException thrown
                    ? thrown
                    : new IllegalStateException(e.getCause());
        }
    }

    private Lack run(
            Trace trace,
            Runs runs,
            String name,
            int number,
            Optional<RunRow> row,
            Watcher watcher) {
        if (stopped.get()) {
            return Lack.NOTHING;
        }
        CorpusTask task = corpus.tasks().get(number);
        try {
            Work first = work(task, number);
            Graph<Work> graph = pipeline.graph(first);
            Run<Work> run =
                    row.filter(known -> known.finishedAt().isEmpty())
                            .map(open -> runs.resume(graph, open.run()))
                            .orElseGet(() ->
                                    runs.start(
                                            graph,
                                            first,
                                            RunOptions.titled(title(name) + task.id())));
            Conclusion<Work> conclusion = Conclusion.of(run, trace);
            Optional<StopReason> stop = conclusion.status().stop().filter(Eval::endsAll);
            if (stop.isPresent()) {
                stopped.set(true);
            } else if (conclusion.status() instanceof Status.Finished<Work> end) {
                end.stop()
                        .filter(StopReason.ModelFailed.class::isInstance)
                        .ifPresent(unanswered::set);
                boolean solved = end.isCompleted() && end.state().isDone();
                watcher.tried(task.id(), solved, end.state().attempts().size());
            }
            return new Lack(stop, conclusion.unsealed());
        } catch (RuntimeException e) {
            stopped.set(true);
            throw e;
        }
    }

    /** Whether the next problem would end like this as well. */
    private static boolean endsAll(StopReason reason) {
        return reason instanceof StopReason.NotEnforceable
                || reason instanceof StopReason.BudgetExhausted;
    }

    private Work work(CorpusTask task, int number) {
        byte[] proof = new byte[PROOF_BYTES];
        RANDOM.nextBytes(proof);
        Optional<CodeArtifact> code =
                switch (writer) {
                    case CODER -> Optional.empty();
                    case ORACLE -> Optional.of(task.oracle());
                    case ORACLE_WITH_BUGS -> Optional.of(OracleBug.broken(task, number));
                };
        // All of it is in the state that the run begins with, so a replay needs no corpus.
        ExecutionPlan plan = task.plan(HexFormat.of().formatHex(proof));
        return new Work(
                Task.of(plan.task()),
                settings,
                Optional.of(plan),
                code,
                List.of(),
                Optional.empty());
    }

    /** What became of each problem that was begun under this name, by its id. */
    public static Map<String, StatsRun> results(Trace trace, String name) {
        Map<String, StatsRun> results = new LinkedHashMap<>();
        rows(trace, name).forEach((task, row) -> results.put(task, StatsRun.read(trace, row)));
        return results;
    }

    /** How many problems need not be tried any more. */
    public int tried(Trace trace, String name) {
        Map<String, RunRow> known = rows(trace, name);
        return (int)
                corpus.tasks().stream()
                        .map(task -> known.get(task.id()))
                        .filter(row -> row != null && isTried(row))
                        .count();
    }

    private static boolean isTried(RunRow row) {
        return row.finishedAt().isPresent() && !NOT_TRIED.contains(row.stop());
    }

    /** By task; of several runs for one the newest counts. */
    private static Map<String, RunRow> rows(Trace trace, String name) {
        Map<String, RunRow> rows = new LinkedHashMap<>();
        String title = title(name);
        for (RunRow row : Stats.rows(trace, Optional.of(title)).reversed()) {
            if (row.title().startsWith(title)) {
                rows.put(row.title().substring(title.length()), row);
            }
        }
        return rows;
    }

    private static String title(String name) {
        return TITLE + name + " ";
    }
}
