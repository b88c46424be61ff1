package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.Graphs.Diary;
import dev.glovebox.run.support.ScriptedEffect;
import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoopsTest {

    private final World world = new World();
    private Engine engine;

    @BeforeEach
    void open(@TempDir Path keys) {
        engine = new Engine(new MemoryStore(), keys);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void theSameFiveTimesInARowIsALoop() {
        Loops loops = new Loops();
        for (int i = 1; i < Loops.ROUNDS; i++) {
            assertThat(loops.next("a", "x")).isEmpty();
        }
        assertThat(loops.next("a", "x")).contains(1);
    }

    @Test
    void aFewThingsInTurnAreALoopToo() {
        for (int length = 1; length <= Loops.LONGEST_PATTERN; length++) {
            Loops loops = new Loops();
            for (int i = 1; i < Loops.ROUNDS * length; i++) {
                assertThat(loops.next("a", "x" + i % length)).isEmpty();
            }
            assertThat(loops.next("a", "x0")).contains(length);
        }
    }

    @Test
    void whatAlwaysBringsSomethingNewIsNoLoop() {
        Loops loops = new Loops();
        for (int i = 0; i < 1_000; i++) {
            assertThat(loops.next("a", "x" + i % 4 + i / 9)).isEmpty();
        }
    }

    @Test
    void whoDoesTheSameInTwoPlacesIsNotMixedUp() {
        Loops loops = new Loops();
        for (int i = 1; i < Loops.ROUNDS; i++) {
            assertThat(loops.next("a", "x")).isEmpty();
            assertThat(loops.next("b", "x")).isEmpty();
        }
        assertThat(loops.next("b", "y")).isEmpty();
        assertThat(loops.next("a", "x")).contains(1);
    }

    @Test
    void otherLoopsCanBeLookedFor() {
        assertThat(new Loops(2, 1).next("a", "x")).isEmpty();
        assertThatThrownBy(() -> new Loops(1, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private ScriptedEffect<Map<String, Integer>, String> search(Map<String, Integer> arguments) {
        return world.tool("search", arguments, String.class, (given, call) -> "found");
    }

    private Graph<Diary> searching(Effects effects) {
        return Graph.of("searching", Diary.class)
                .node(
                        "search",
                        (diary, context) ->
                                diary.plus(context.perform(effects.number(diary.lines().size()))))
                .choose(
                        "search",
                        diary -> diary.lines().size() < 30 ? "search" : Graph.END,
                        "search",
                        Graph.END)
                .build();
    }

    private interface Effects {
        Effect<?, String> number(int n);
    }

    @Test
    void aRunThatDoesTheSameAgainAndAgainIsStopped() {
        Graph<Diary> graph =
                searching(n -> {
                    Map<String, Integer> arguments = new LinkedHashMap<>();
                    // In another order each time, which makes no difference.
                    (n % 2 == 0 ? List.of("a", "b") : List.of("b", "a"))
                            .forEach(key -> arguments.put(key, 1));
                    return search(arguments);
                });
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason())
                .isEqualTo(
                        new StopReason.LoopDetected(
                                "tool search with the same arguments again and again"));
        assertThat(world.performed()).hasSize(Loops.ROUNDS - 1);
        assertThat(end.state().lines()).hasSize(Loops.ROUNDS - 1);
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void aRunThatGoesToAndFroIsStopped() {
        Graph<Diary> graph = searching(n -> search(Map.of("q", n % 2)));
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason())
                .isEqualTo(
                        new StopReason.LoopDetected(
                                "2 effects in turn again and again, the last tool search"));
        engine.assertFaithful(graph, end.run());
    }

    @Test
    void agentsInTurnThatDoTheSameAreNoLoop() {
        // Each of them less often than that.
        Graph<Diary> graph = searching(n -> search(Map.of("q", 1)).agent("agent " + n % 8));
        assertThat(engine.run(graph, Diary.of(0)).isCompleted()).isTrue();
    }

    @Test
    void branchesThatDoTheSameAreNoLoop() {
        Graph<Diary> graph =
                Graphs.each(20, (n, context) -> context.perform(search(Map.of("q", 1))));
        // They are nodes side by side, but each in a branch of its own.
        assertThat(engine.run(graph, Diary.of(0)).reason()).isEqualTo(new StopReason.Completed());
    }

    @Test
    void whatMayBeRepeatedIsNoLoop() {
        Graph<Diary> graph = searching(n -> search(Map.of("q", 1)).repeatable());
        assertThat(engine.run(graph, Diary.of(0)).isCompleted()).isTrue();
    }

    @Test
    void whatWasDoneBeforeARunWasResumedCountsToo(@TempDir Path keys) {
        // Three before, and what comes behind counts with them.
        MemoryStore store = new MemoryStore();
        Graph<Diary> graph = searching(n -> search(Map.of("q", 1)));
        String name;
        var crashing =
                new dev.glovebox.run.support.CrashInjector(
                        store, 12, dev.glovebox.run.support.CrashInjector.Crash.AFTER);
        try (Engine first = new Engine(crashing, keys)) {
            Run<Diary> run = first.start(graph, Diary.of(0), "x");
            name = run.name();
            assertThatThrownBy(run::await).isInstanceOf(dev.glovebox.trace.NotKept.class);
        }
        try (Engine second = new Engine(store, keys)) {
            Status.Finished<Diary> end = Engine.finished(second.resume(graph, name));
            assertThat(end.reason()).isInstanceOf(StopReason.LoopDetected.class);
            assertThat(end.state().lines()).hasSize(Loops.ROUNDS - 1);
        }
    }

    @Test
    void aNodeThatIsVisitedTooOftenIsALoop() {
        Graph<Diary> graph =
                Graph.of("round", Diary.class)
                        .node("a", (diary, context) -> diary.plus("x"))
                        .choose("a", diary -> "a", "a", Graph.END)
                        .mostVisits(7)
                        .build();
        Status.Finished<Diary> end = engine.run(graph, Diary.of(0));
        assertThat(end.reason())
                .isEqualTo(new StopReason.LoopDetected("The node a was visited 7 times"));
        assertThat(end.state().lines()).hasSize(7);
        engine.assertFaithful(graph, end.run());
    }
}
