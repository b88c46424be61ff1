package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.Agent;
import dev.glovebox.agent.BuiltInTools;
import dev.glovebox.agent.Message;
import dev.glovebox.agent.TaskResult;
import dev.glovebox.agent.Wall;
import dev.glovebox.agent.Workspace;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent where all walls are on the class path. */
class AgentWallsTest {

    @TempDir private Path keys;

    private TaskResult run(Wall wall) {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("run_javascript", "{\"code\":\"console.log(6 * 7)\"}"),
                        Turn.says("42"));
        try (Trace trace = Trace.open(new MemoryStore(), keys);
                Runs runs = Runs.in(trace)) {
            return Agent.named("ann", model)
                    .tools(BuiltInTools.runJavascript(Policy.denyAll(), wall, Workspace.of(trace)))
                    .build()
                    .run(runs, "Compute.");
        }
    }

    @Test
    void aProgramRunsInTheJvmItselfIfThatWallIsNamed() {
        assertThat(run(Wall.named("wasm")).messages())
                .filteredOn(Message.ToolResult.class::isInstance)
                .map(Message::text)
                .containsExactly("outcome: exited 0\nstdout:\n42");
    }

    @Test
    void aProgramThatShouldLeaveThisMachineDoesNotRunOnItInstead() {
        assertThat(run(Wall.named("opensandbox")).stop())
                .isInstanceOf(StopReason.NotEnforceable.class);
    }
}
