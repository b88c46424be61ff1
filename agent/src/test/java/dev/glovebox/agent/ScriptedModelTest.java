package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that asks more than it has written down can tell that from a model that fails. */
class ScriptedModelTest {

    @TempDir private Path keys;

    private StopReason stop(ScriptedModel model) {
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            return Agent.named("clerk", model).build().run(runs, "Go.").stop();
        }
    }

    @Test
    void whoAsksMoreThanTheScriptHasFindsItAmongTheProblems() {
        ScriptedModel model = new ScriptedModel(Turn.says(""));

        assertThat(stop(model)).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(model.problems())
                .singleElement()
                .satisfies(e -> assertThat(e).hasMessageContaining("only 1 turns"));
    }

    @Test
    void aFailureThatIsInTheScriptIsNoProblem() {
        ScriptedModel model = new ScriptedModel(Turn.fails(401, "no key"));

        assertThat(stop(model)).isInstanceOf(StopReason.ModelFailed.class);
        assertThat(model.problems()).isEmpty();
    }
}
