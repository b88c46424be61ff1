package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** What one process has: a trace over a store, and an engine over that. */
final class Engine implements AutoCloseable {

    private final Trace trace;
    private final Runs runs;
    private final Map<String, Graph<?>> graphs = new ConcurrentHashMap<>();

    Engine(TraceStore store, Path keys, Interceptor... interceptors) {
        this(store, keys, Clock.systemUTC(), interceptors);
    }

    Engine(TraceStore store, Path keys, Clock clock, Interceptor... interceptors) {
        trace = Trace.open(store, keys);
        runs = Runs.in(trace, clock, interceptors);
    }

    Runs runs() {
        return runs;
    }

    Trace trace() {
        return trace;
    }

    <S> Status.Finished<S> run(Graph<S> graph, S state) {
        return finished(start(graph, state, graph.name()));
    }

    <S> Status.Finished<S> run(Graph<S> graph, S state, Budget budget) {
        return finished(start(graph, state, RunOptions.titled(graph.name()).budget(budget)));
    }

    <S> Run<S> start(Graph<S> graph, S state, String title) {
        return start(graph, state, RunOptions.titled(title));
    }

    <S> Run<S> start(Graph<S> graph, S state, RunOptions options) {
        return known(runs.start(graph, state, options));
    }

    <S> Run<S> resume(Graph<S> graph, String run) {
        return known(runs.resume(graph, run));
    }

    <S> Run<S> fork(Graph<S> graph, String run, long from) {
        return known(runs.fork(graph, run, from));
    }

    private <S> Run<S> known(Run<S> run) {
        graphs.put(run.name(), run.graph());
        return run;
    }

    /** A run that is not to be replayed at the end, since the test makes it irreproducible. */
    void irreproducible(String run) {
        graphs.remove(run);
    }

    static <S> Status.Finished<S> finished(Run<S> run) {
        Status<S> status = run.await();
        assertThat(status).isInstanceOf(Status.Finished.class);
        return (Status.Finished<S>) status;
    }

    static <S> Status.Waiting<S> waiting(Run<S> run) {
        Status<S> status = run.await();
        assertThat(status).isInstanceOf(Status.Waiting.class);
        return (Status.Waiting<S>) status;
    }

    static <S> Divergence differs(Run<S> run) {
        Status<S> status = run.await();
        assertThat(status).isInstanceOf(Status.Differs.class);
        return ((Status.Differs<S>) status).divergence();
    }

    /** Waits through all questions that somebody else answers. */
    static <S> Status.Finished<S> atLast(Run<S> run) throws InterruptedException {
        while (run.await() instanceof Status.Waiting) {
            Thread.sleep(1);
        }
        return finished(run);
    }

    /** Finds a run intact, and the same when it is replayed. */
    <S> void assertFaithful(Graph<S> graph, String run) {
        assertThat(trace.verify(run)).isInstanceOf(Verdict.Intact.class);
        Replay replay = runs.replay(graph, run);
        assertThat(replay.divergence()).isEmpty();
        assertThat(replay.isFaithful()).isTrue();
    }

    /** Finds that no digest in the records of a run tells anything. */
    void assertPrivate(String run) {
        for (Entry entry : entries(run)) {
            String line = new String(entry.bytes(), StandardCharsets.UTF_8);
            assertThat(line.split("\"blob\":", -1))
                    .as(line)
                    .hasSameSizeAs(line.split("\"salted\":true", -1));
        }
    }

    List<Entry> entries(String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.toList();
        }
    }

    <E extends Event> List<E> events(String run, Class<E> type) {
        return entries(run).stream()
                .map(Entry::event)
                .filter(type::isInstance)
                .map(type::cast)
                .toList();
    }

    /** Replays whatever has come to its end here: each run must come to its digest. */
    @Override
    public void close() {
        try {
            graphs.forEach(this::replayed);
        } finally {
            runs.close();
            trace.close();
        }
    }

    private void replayed(String run, Graph<?> graph) {
        if (trace.run(run).finishedAt().isPresent()) {
            // A node that waits for others outside of its context would wait for ever.
            assertTimeoutPreemptively(
                    Duration.ofSeconds(20), () -> assertFaithful(graph, run), "See irreproducible");
        }
    }
}
