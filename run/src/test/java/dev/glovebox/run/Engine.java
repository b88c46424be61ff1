package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.stream.Stream;

/** What one process has: a trace over a store, and an engine over that. */
final class Engine implements AutoCloseable {

    private final Trace trace;
    private final Runs runs;

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
        return finished(runs.start(graph, state, graph.name()));
    }

    <S> Status.Finished<S> run(Graph<S> graph, S state, Budget budget) {
        return finished(runs.start(graph, state, RunOptions.titled(graph.name()).budget(budget)));
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

    @Override
    public void close() {
        runs.close();
        trace.close();
    }
}
