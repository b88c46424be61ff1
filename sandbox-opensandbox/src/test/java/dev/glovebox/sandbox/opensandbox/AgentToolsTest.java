package dev.glovebox.sandbox.opensandbox;

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
import dev.glovebox.sandbox.conformance.Walls;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent that is as it always is, but for where its programs run. */
final class AgentToolsTest {

    /** The server's boxes are jails. */
    @BeforeAll
    static void needsTheJail() {
        Walls.needed("jail");
    }

    private static final Policy POLICY = Policy.denyAll();

    @TempDir private Path home;
    @AutoClose private final BoxServer server = new BoxServer();
    @AutoClose private Trace trace;
    @AutoClose private Runs runs;

    @BeforeEach
    void open() {
        trace = Trace.open(new MemoryStore(), home);
        runs = Runs.in(trace);
    }

    private TaskResult run(Policy policy, Wall wall) {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls("write_file", "{\"path\":\"n.txt\",\"content\":\"40 2\"}"),
                        Turn.calls(
                                "run_python",
                                """
                                {"code":"print(sum(map(int, open('n.txt').read().split())),
                                file=open('sum.txt', 'w'))"}\
                                """
                                        .replace("\n", " ")),
                        Turn.calls("run_shell", "{\"command\":\"cat sum.txt\"}"),
                        Turn.says("42"));
        return Agent.named("analyst", model)
                .tools(BuiltInTools.all(policy, wall, Workspace.of(trace)))
                .build()
                .run(runs, "Add the numbers.");
    }

    private Wall tenant() {
        return Wall.of(
                "acme",
                new OpenSandboxTier(
                        Map.of(
                                Settings.DOMAIN, server.authority(),
                                Settings.KEY, BoxServer.KEY,
                                Settings.FOLDER, BoxServer.SCRATCH)));
    }

    @Test
    void programsOfAnAgentRunOnTheServerOfATenant() {
        TaskResult result = run(POLICY, tenant());

        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(result.messages())
                .filteredOn(Message.ToolResult.class::isInstance)
                .last()
                .satisfies(last ->
                        assertThat(last.text()).isEqualTo("outcome: exited 0\nstdout:\n42"));
        try (Stream<Entry> entries = trace.entries(result.run(), 0)) {
            assertThat(entries.map(Entry::event).toList())
                    .filteredOn(EffectIntent.class::isInstance)
                    .map(event -> ((EffectIntent) event).details().path("tier").asText())
                    .filteredOn(tier -> !tier.isEmpty())
                    .containsExactly("opensandbox@acme", "opensandbox@acme");
        }
        try (Stream<Entry> entries = trace.entries(result.run(), 0)) {
            assertThat(entries.map(Entry::event).toList())
                    .filteredOn(EffectOutcome.class::isInstance)
                    .map(event -> ((EffectOutcome) event).details().path("tier").asText())
                    .filteredOn(tier -> !tier.isEmpty())
                    .containsExactly("opensandbox", "opensandbox");
        }
        assertThat(server.keys).isNotEmpty();
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void whatTheServerCannotEnforceRunsNowhere() {
        TaskResult result = run(POLICY.allow("example.com", 443), tenant());
        assertThat(result.stop())
                .isInstanceOfSatisfying(
                        StopReason.NotEnforceable.class,
                        stop -> assertThat(stop.what()).contains("hosts, not ports"));
        assertThat(server.keys).isEmpty();
    }

    @Test
    void aServerThatNobodyNamedRunsNothing() {
        TaskResult result = run(POLICY, Wall.of("acme", new OpenSandboxTier(Map.of())));
        assertThat(result.stop())
                .isInstanceOfSatisfying(
                        StopReason.NotEnforceable.class,
                        stop -> assertThat(stop.what()).contains("no OpenSandbox server"));
    }
}
