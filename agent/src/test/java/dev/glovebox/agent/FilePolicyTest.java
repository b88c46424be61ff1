package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.run.Runs;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.Trace;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each tool for files keeps to its own policy, and the model is told why it may not. */
class FilePolicyTest {

    private static final FilePolicy ALL = FilePolicy.standard();

    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Runs runs = engine.runs();
    private final Workspace workspace = Workspace.of(trace);

    private Tool read(FilePolicy policy) {
        return BuiltInTools.readFile(policy, workspace);
    }

    private Tool write(FilePolicy policy) {
        return BuiltInTools.writeFile(policy, workspace);
    }

    private Tool list(FilePolicy policy) {
        return BuiltInTools.listFiles(policy, workspace);
    }

    private static ToolCall writes(int id, String path, String content) {
        return new ToolCall(
                "w" + id,
                "write_file",
                JsonNodeFactory.instance
                        .objectNode()
                        .put("path", path)
                        .put("content", content)
                        .toString());
    }

    private static ToolCall reads(String path) {
        return new ToolCall(
                "r",
                "read_file",
                JsonNodeFactory.instance.objectNode().put("path", path).toString());
    }

    private static ToolCall lists() {
        return new ToolCall("l", "list_files", "{}");
    }

    /** What an agent reads of its calls; those of one turn are made at once. */
    private List<String> results(List<Tool> tools, Turn... turns) {
        ScriptedModel model =
                new ScriptedModel(
                        IntStream.rangeClosed(0, turns.length)
                                .mapToObj(i -> i < turns.length ? turns[i] : Turn.says("Done."))
                                .toArray(Turn[]::new));
        Agent agent = Agent.named("clerk", model).tools(tools.toArray(Tool[]::new)).build();
        TaskResult result = agent.run(runs, "Work.");
        assertThat(result.text()).isEqualTo("Done.");
        assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        return Engine.results(result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"secret", "database/x", "data.txt", "out/report.md.bak", "out", "Data/x"})
    void aPathThatIsNotAllowedIsRefusedWithTheArgumentAndTheReason(String path) {
        FilePolicy some = ALL.only("data", "out/report.md");

        List<String> said =
                results(
                        List.of(write(some), read(some)),
                        Turn.calls(writes(1, path, "x")),
                        Turn.calls(reads(path)));

        String refused =
                """
                {"error":"The policy of the tool does not allow it, so nothing was done",\
                "problems":[{"field":"/path",\
                "expected":"one of these, or in it: data, out/report.md","got":"%s"}],"tool":"%s"}\
                """;
        assertThat(said)
                .containsExactly(
                        refused.formatted(path, "write_file"),
                        refused.formatted(path, "read_file"));
    }

    @Test
    void whatIsAllowedIsDoneAndWhatIsNotIsNeitherReadNorNamed() {
        FilePolicy some = ALL.only("data");

        List<String> said =
                results(
                        List.of(write(ALL), read(some), list(some)),
                        Turn.calls(writes(1, "data/in.csv", "1,2")),
                        Turn.calls(writes(2, "private.txt", "x")),
                        Turn.calls(reads("data/in.csv")),
                        Turn.calls(reads("data/../private.txt")),
                        Turn.calls(lists()));

        assertThat(said.subList(2, 5))
                .containsExactly(
                        "1,2",
                        "There is no file data/../private.txt. There are data/in.csv",
                        "data/in.csv 3");
    }

    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1})
    void noLineIsBeforeTheFirst(int first) {
        List<String> said =
                results(
                        List.of(write(ALL), read(ALL)),
                        Turn.calls(writes(1, "a", "one\ntwo")),
                        Turn.calls(
                                new ToolCall(
                                        "r",
                                        "read_file",
                                        "{\"path\":\"a\",\"first_line\":" + first + "}")));
        assertThat(said.getLast()).isEqualTo("one\ntwo");
    }

    @Test
    void nothingAtAllCanBeAllowed() {
        assertThat(
                        results(
                                List.of(write(ALL), read(ALL.only())),
                                Turn.calls(writes(1, "a", "x")),
                                Turn.calls(reads("a"))))
                .last()
                .asString()
                .contains("no file is allowed");
    }

    @Test
    void aFileThatIsTooLargeIsNeitherWrittenNorRead() {
        List<String> said =
                results(
                        List.of(write(ALL.mostBytes(4)), read(ALL.mostBytes(3)), list(ALL)),
                        Turn.calls(writes(1, "a", "12345")),
                        Turn.calls(writes(2, "b", "1234")),
                        Turn.calls(reads("b")),
                        Turn.calls(lists()));

        assertThat(said.get(0))
                .contains("\"field\":\"/content\",\"expected\":\"at most 4 bytes\"", "5 bytes");
        assertThat(said.get(1)).isEqualTo("Wrote 4 bytes to b");
        assertThat(said.get(2))
                .contains("\"field\":\"/path\",\"expected\":\"at most 3 bytes\"", "4 bytes");
        assertThat(said.get(3)).isEqualTo("b 4");
    }

    /** A tool that is called at the same time as others: all begin before any has ended. */
    private record Together(Tool tool, CyclicBarrier all) implements Tool {

        @Override
        public ToolOffer offer() {
            return tool.offer();
        }

        @Override
        public ToolTraits traits() {
            return tool.traits();
        }

        @Override
        public ToolOutput call(ToolInput input) throws Exception {
            all.await();
            ToolOutput output = tool.call(input);
            all.await();
            return output;
        }
    }

    @Test
    void callsAtOnceDoNotGetPastALimitTogether() {
        Turn atOnce =
                Turn.calls(
                        IntStream.range(0, 8)
                                .mapToObj(i -> writes(i, "f" + i, "1234"))
                                .toArray(ToolCall[]::new));
        for (FilePolicy policy : List.of(ALL.mostFiles(3), ALL.mostBytesInAll(12))) {
            Tool together = new Together(write(policy), new CyclicBarrier(8));

            List<String> said = results(List.of(together, list(ALL)), atOnce, Turn.calls(lists()));

            assertThat(said.subList(0, 8)).filteredOn(text -> text.startsWith("Wrote")).hasSize(3);
            assertThat(said.subList(0, 8))
                    .filteredOn(text -> text.contains("does not allow it"))
                    .hasSize(5);
            assertThat(said.getLast().lines()).hasSize(3);
        }
    }

    @Test
    void callsAtOnceAreToldTheTruthAboutTheLimitsOfTheWorkspaceToo() {
        String large = "x".repeat(900_000); // 9 of them fit into 8 MiB.
        Turn atOnce =
                Turn.calls(
                        IntStream.range(0, 10)
                                .mapToObj(i -> writes(i, "f" + i, large))
                                .toArray(ToolCall[]::new));
        Tool together = new Together(write(ALL), new CyclicBarrier(10));

        List<String> said = results(List.of(together, list(ALL)), atOnce, Turn.calls(lists()));

        assertThat(said.subList(0, 10)).filteredOn(text -> text.startsWith("Wrote")).hasSize(9);
        assertThat(said.getLast().lines()).hasSize(9);
    }

    @Test
    void aFileThatIsThereMayBeWrittenAgainAndOneThatAProgramRemovedMakesRoom() {
        Jail.assumed();
        Tool shell = BuiltInTools.runShell(Policy.denyAll(), workspace);

        List<String> said =
                results(
                        List.of(write(ALL.mostFiles(1)), shell),
                        Turn.calls(writes(1, "a", "x")),
                        Turn.calls(writes(2, "a", "y")),
                        Turn.calls(writes(3, "b", "x")),
                        Turn.calls("run_shell", "{\"command\":\"rm a\"}"),
                        Turn.calls(writes(4, "b", "x")));

        assertThat(said.get(1)).isEqualTo("Wrote 1 bytes to a");
        assertThat(said.get(2)).contains("does not allow it");
        assertThat(said.get(4)).isEqualTo("Wrote 1 bytes to b");
    }

    @Test
    void noMoreFilesAreListedThanThePolicySays() {
        assertThat(
                        results(
                                List.of(write(ALL), list(ALL.mostFiles(1))),
                                Turn.calls(writes(1, "a", "x"), writes(2, "b", "x")),
                                Turn.calls(lists())))
                .last()
                .isEqualTo("a 1\n[1 more are not listed]");
    }

    @Test
    void allToolsTogetherWriteNoMoreThanABoxHasRoomFor() {
        Policy small = Policy.denyAll().disk(Bytes.kibibytes(64));

        assertThat(
                        results(
                                BuiltInTools.all(small, workspace),
                                Turn.calls(writes(1, "a", "x".repeat(70_000)))))
                .singleElement()
                .asString()
                .contains("at most 65536 bytes in all files together");
    }

    @Test
    void theModelIsToldWhichFilesItMayUse() {
        assertThat(read(ALL.only("data", "out")).offer().description())
                .endsWith("Only: data, out.");
        assertThat(read(ALL).offer().description())
                .isEqualTo("Reads a text file of the workspace.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc", "../x", "data/", "a//b"})
    void aPathThatCannotBeOneIsRefusedWhereItIsSet(String path) {
        assertThatThrownBy(() -> ALL.only(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void limitsThatNothingCouldKeepAreRefused() {
        assertThatThrownBy(() -> ALL.mostFiles(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.mostBytes(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ALL.mostBytesInAll(-1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
