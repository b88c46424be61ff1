package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.CrashInjector;
import dev.glovebox.run.support.CrashInjector.Crash;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A crash at each record that there is, and what is left to do afterwards. */
class CrashTest {

    private static final int SIZE = 3;
    private static final Diary EMPTY = Diary.of(SIZE);

    @TempDir Path keys;

    /** Goes on until the run is finished, and answers what it asks. */
    private static <S> Status<S> toTheEnd(Runs runs, Run<S> run) {
        Status<S> status = run.await();
        while (status instanceof Status.Waiting<S> waiting) {
            for (OpenQuestion question : runs.questions(waiting.run())) {
                boolean approval = !question.question().choices().isEmpty();
                runs.answer(waiting.run(), question.key(), approval ? "yes" : "here", "somebody");
            }
            status = run.await();
        }
        return status;
    }

    private Status<Diary> run(TraceStore store, World world, String graph) {
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Graph<Diary> one = graph(world, graph);
            return toTheEnd(runs, runs.start(one, EMPTY, graph));
        }
    }

    private static Graph<Diary> graph(World world, String name) {
        return Optional.ofNullable(new Graphs(world).all().get(name)).orElseThrow();
    }

    private static Optional<RunRow> unfinished(TraceStore store, String kind) {
        return store.runs(RunQuery.newest(100)).stream()
                .filter(row -> row.kind().equals(kind))
                .findFirst();
    }

    @ParameterizedTest
    @ValueSource(strings = {"loop", "fan-out", "nested", "approval", "subgraph", "failing"})
    void aRunThatCrashesAtAnyRecordComesToTheSameEnd(String name) {
        MemoryStore whole = new MemoryStore();
        CrashInjector never = new CrashInjector(whole, Integer.MAX_VALUE, Crash.BEFORE);
        Status.Finished<Diary> expected = finished(run(never, new World(), name));
        assertThat(never.records()).isGreaterThan(10);
        for (int record = 0; record < never.records(); record++) {
            for (Crash crash : List.of(Crash.BEFORE, Crash.AFTER)) {
                crash(name, record, crash, expected);
            }
        }
    }

    private static <S> Status.Finished<S> finished(Status<S> status) {
        assertThat(status).isInstanceOf(Status.Finished.class);
        return (Status.Finished<S>) status;
    }

    private void crash(String name, int record, Crash crash, Status.Finished<Diary> expected) {
        String where = name + ", " + crash + " record " + record;
        MemoryStore store = new MemoryStore();
        CrashInjector injector = new CrashInjector(store, record, crash);
        World world = new World();
        try {
            run(injector, world, name);
        } catch (TraceException e) {
            assertThat(e).hasMessageContaining("crash");
        }
        if (!injector.isDead()) {
            // Parallel branches do not always make the same number of letters and claims.
            return;
        }
        Map<String, Integer> before = new HashMap<>();
        world.performed().forEach(key -> before.put(key, world.count(key)));
        Map<String, Boolean> known = outcomes(store, name);
        try (Trace trace = Trace.open(store, keys);
                Runs runs = Runs.in(trace)) {
            Graph<Diary> graph = graph(world, name);
            Optional<RunRow> left = unfinished(store, name);
            boolean finishedAlready = left.map(row -> row.finishedAt().isPresent()).orElse(false);
            if (left.isEmpty() || finishedAlready) {
                return;
            }
            String run = left.get().run();
            Status<Diary> status = toTheEnd(runs, runs.resume(graph, run));
            assertThat(status).as(where).isInstanceOf(Status.Finished.class);
            assertThat(finished(status).state()).as(where).isEqualTo(expected.state());
            assertThat(finished(status).reason()).as(where).isEqualTo(expected.reason());
            // What had an outcome was not done again.
            known.forEach((key, has) -> {
                if (has) {
                    assertThat(world.count(run + "/" + key))
                            .as(where + ": " + key)
                            .isEqualTo(before.getOrDefault(run + "/" + key, 0));
                }
            });
            // What had none was done twice at most.
            world.performed()
                    .forEach(key -> assertThat(world.count(key)).as(where).isBetween(1, 2));
            assertThat(trace.verify(run)).as(where).isInstanceOf(Verdict.Intact.class);
            Replay replay = runs.replay(graph, run);
            assertThat(replay.divergence()).as(where).isEmpty();
            assertThat(replay.isFaithful()).as(where).isTrue();
        }
    }

    /** The effects that were begun, and whether it is known what came of them. */
    private Map<String, Boolean> outcomes(TraceStore store, String kind) {
        Map<String, Boolean> known = new HashMap<>();
        try (Trace trace = Trace.open(store, keys)) {
            unfinished(store, kind)
                    .ifPresent(row -> {
                        try (Stream<Entry> entries = trace.entries(row.run(), 0)) {
                            entries.map(Entry::event)
                                    .forEach(event -> {
                                        if (event instanceof EffectIntent intent) {
                                            known.put(intent.id().key(), false);
                                        } else if (event instanceof EffectOutcome outcome) {
                                            known.put(outcome.id().key(), true);
                                        }
                                    });
                        }
                    });
        }
        return known;
    }
}
