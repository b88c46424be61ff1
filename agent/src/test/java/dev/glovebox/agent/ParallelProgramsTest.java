package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs of one answer do not see each other, and leave files that cannot be side by side. */
class ParallelProgramsTest {

    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Runs runs = engine.runs();

    @BeforeEach
    void programs() {
        Jail.assumed();
    }

    private static ToolCall shell(String command) {
        String arguments = JsonNodeFactory.instance.objectNode().put("command", command).toString();
        return new ToolCall("", "run_shell", arguments);
    }

    /** What came of calls all at once, and then of one behind the other. */
    private List<Message.ToolResult> results(List<ToolCall> atOnce, ToolCall... then) {
        return results(Policy.denyAll(), atOnce, then);
    }

    private List<Message.ToolResult> results(
            Policy policy, List<ToolCall> atOnce, ToolCall... then) {
        List<Turn> turns = new ArrayList<>();
        turns.add(Turn.calls(atOnce.toArray(ToolCall[]::new)));
        Stream.of(then).map(Turn::calls).forEach(turns::add);
        turns.add(Turn.says("Done."));
        Agent agent =
                Agent.named("worker", new ScriptedModel(turns.toArray(Turn[]::new)))
                        .tools(BuiltInTools.all(policy, Workspace.of(trace)))
                        .build();
        TaskResult result = agent.run(runs, "Work.");
        assertThat(result.stop()).isEqualTo(new StopReason.Completed());
        assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        return result.messages().stream()
                .filter(Message.ToolResult.class::isInstance)
                .map(Message.ToolResult.class::cast)
                .toList();
    }

    private static List<String> notKept(List<Message.ToolResult> results) {
        return results.stream()
                .flatMap(result -> result.text().lines())
                .filter(line -> line.startsWith("not kept: "))
                .toList();
    }

    @Test
    void whatCannotBeBesideTheFileOfAnotherIsNotKeptAndTheModelIsTold() {
        List<Message.ToolResult> results =
                results(
                        List.of(shell("echo 1 > d"), shell("mkdir d; echo 2 > d/x")),
                        shell("find d -type f"),
                        new ToolCall("", "list_files", "{}"));

        assertThat(results).noneMatch(Message.ToolResult::isError);
        boolean first = results.getLast().text().equals("d 2");
        assertThat(results.getLast().text()).isEqualTo(first ? "d 2" : "d/x 2");
        assertThat(results.get(2).text())
                .isEqualTo("outcome: exited 0\nstdout:\n" + (first ? "d" : "d/x"));
        assertThat(notKept(results))
                .containsExactly(
                        first
                                ? "not kept: d/x (There is the file d, so d/x cannot be one)"
                                : "not kept: d (There is the file d/x, so d cannot be one)");
    }

    @Test
    void noProgramIsInTheWayOfLaterOnesAlsoIfTheyDoNotShareAWorkspace() {
        record Said(String text) {}
        Graph<Said> graph =
                Graph.of("apart", Said.class)
                        .node(
                                "n",
                                (none, context) -> {
                                    var _ =
                                            context.performAll(
                                                    Stream.of("echo 1 > d", "mkdir d; echo 2 > d/x")
                                                            .map(this::apart)
                                                            .toList());
                                    return new Said(context.perform(apart("cat d*")).text());
                                })
                        .edge("n", Graph.END)
                        .build();
        var end = (Status.Finished<Said>) runs.start(graph, new Said(""), "apart").await();
        assertThat(end.state().text()).startsWith("outcome: exited ");
    }

    private ToolUse apart(String command) {
        return new ToolUse(
                BuiltInTools.runShell(Policy.denyAll(), Workspace.of(trace)),
                JsonNodeFactory.instance.objectNode().put("command", command),
                "ann",
                command,
                Guardrails.none());
    }

    @Test
    void theFilesOfAllTogetherAreNoMoreThanOneMayLeave() {
        String many = "for i in $(seq 80); do echo > %s$i; done";
        List<Message.ToolResult> results =
                results(
                        Stream.of("a", "b", "c")
                                .map(many::formatted)
                                .map(ParallelProgramsTest::shell)
                                .toList(),
                        shell("ls | grep -c '^[abc][0-9]'"),
                        new ToolCall("", "list_files", "{}"));

        assertThat(results).noneMatch(Message.ToolResult::isError);
        assertThat(results.getLast().text().lines()).hasSize(Workspace.MOST_FILES);
        assertThat(results.get(3).text()).endsWith("stdout:\n" + Workspace.MOST_FILES);
        assertThat(notKept(results))
                .isNotEmpty()
                .anyMatch(line -> line.contains("There are 200 files, and no more are allowed"));
    }

    @Test
    void theFilesOfAllTogetherFitIntoTheBoxOfTheNextOne() {
        String much = "head -c 700000 /dev/zero > ";
        List<Message.ToolResult> results =
                results(
                        Policy.denyAll().disk(Bytes.mebibytes(1)),
                        List.of(shell(much + "a"), shell(much + "b")),
                        shell("ls"));

        assertThat(results).noneMatch(Message.ToolResult::isError);
        assertThat(notKept(results))
                .singleElement()
                .asString()
                .endsWith(
                        " (expected at most 1048576 bytes in all files together, got 1400000 bytes)");
    }

    @Test
    void ofAFileThatIsWrittenMeanwhileAndAFolderOneIsKept() {
        List<Message.ToolResult> results =
                results(
                        List.of(
                                shell("mkdir d; echo 2 > d/x"),
                                new ToolCall(
                                        "", "write_file", "{\"path\":\"d\",\"content\":\"1\"}")),
                        new ToolCall("", "list_files", "{}"),
                        shell("find d -type f"));

        assertThat(results.getLast().isError()).isFalse();
        boolean written = !results.get(1).isError();
        assertThat(results.get(2).text()).isEqualTo(written ? "d 1" : "d/x 2");
        assertThat(notKept(results)).hasSize(written ? 1 : 0);
    }
}
