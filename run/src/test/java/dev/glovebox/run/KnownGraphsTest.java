package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.run.spi.GraphSource;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KnownGraphsTest {

    /** Nothing. */
    record Empty() {}

    private static final Graph<Empty> GRAPH =
            Graph.of("idle", Empty.class)
                    .node("rest", (state, context) -> state)
                    .edge("rest", Graph.END)
                    .build();

    private static final GraphSource SOURCE =
            new GraphSource() {
                @Override
                public String kind() {
                    return "idle";
                }

                @Override
                public Graph<?> graph(RecordedRun run) {
                    return GRAPH;
                }
            };

    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open(@TempDir Path keys) {
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
    }

    private String ran() {
        Run<Empty> run = runs.start(GRAPH, new Empty(), "nothing");
        run.await();
        return run.name();
    }

    @Test
    void aRunIsReplayedByWhoeverKnowsItsKind() {
        String run = ran();
        Graph<?> found = KnownGraphs.of(SOURCE).graph(trace, run);
        assertThat(runs.replay(found, run).isFaithful()).isTrue();
    }

    @Test
    void aKindThatNobodyKnowsIsNamed() {
        String run = ran();
        assertThatThrownBy(() -> KnownGraphs.of().graph(trace, run))
                .isInstanceOf(NotReplayable.class)
                .hasMessageContaining("'idle'");
    }

    @Test
    void aRunWithoutAModelIsGivenNone() {
        String run = ran();
        assertThatThrownBy(() -> KnownGraphs.of(SOURCE).graph(trace, run, "a-model"))
                .isInstanceOf(NotReplayable.class)
                .hasMessageContaining("no model");
    }

    @Test
    void whatIsNoRunOfAGraphIsToldApart() {
        trace.start("idle", "by hand", new byte[] {'x'}, BlobRef.TEXT).finish("completed");
        assertThatThrownBy(() -> KnownGraphs.of(SOURCE).graph(trace, trace.run("last").run()))
                .isInstanceOf(NotReplayable.class)
                .hasMessageContaining("not a run of a graph");
    }
}
