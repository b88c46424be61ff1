package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.support.World;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunsTest {

    record Tally(int wanted, List<Integer> found) {

        Tally plus(int number) {
            return new Tally(wanted, Stream.concat(found.stream(), Stream.of(number)).toList());
        }
    }

    private final World world = new World();
    private final MemoryStore store = new MemoryStore();
    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open(@TempDir Path keys) {
        trace = Trace.open(store, keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
    }

    private Graph<Tally> counting() {
        return Graph.of("counting", Tally.class)
                .node(
                        "count",
                        (tally, context) ->
                                tally.plus(
                                        context.perform(
                                                world.tool(
                                                        "square",
                                                        tally.found().size(),
                                                        Integer.class,
                                                        (n, call) -> n * n))))
                .choose(
                        "count",
                        tally -> tally.found().size() < tally.wanted() ? "count" : Graph.END,
                        "count",
                        Graph.END)
                .build();
    }

    private static <S> Status.Finished<S> finished(Run<S> run) {
        assertThat(run.await()).isInstanceOf(Status.Finished.class);
        return (Status.Finished<S>) run.await();
    }

    @Test
    void aLoopRunsToItsEndAndCanBeVerifiedAndReplayed() {
        Run<Tally> run = runs.start(counting(), new Tally(5, List.of()), "five squares");
        Status.Finished<Tally> end = finished(run);
        assertThat(end.isCompleted()).isTrue();
        assertThat(end.state().found()).containsExactly(0, 1, 4, 9, 16);
        assertThat(trace.verify(run.name())).isInstanceOf(Verdict.Intact.class);
        int performed = world.performed().size();
        Replay replay = runs.replay(counting(), run.name());
        assertThat(replay.divergence()).isEmpty();
        assertThat(replay.isFaithful()).isTrue();
        assertThat(world.performed()).hasSize(performed);
    }
}
