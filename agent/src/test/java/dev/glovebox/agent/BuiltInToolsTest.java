package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs in real boxes, and the files that they share. */
class BuiltInToolsTest {

    private static final Policy POLICY = Policy.denyAll();

    @AutoClose private final Engine engine = new Engine();
    private final Trace trace = engine.trace();
    private final Runs runs = engine.runs();
    private Toolbox toolbox = Toolbox.of(BuiltInTools.all(POLICY, Workspace.of(trace)));

    /** What is wanted of a tool, with the only text that it is given; or with two. */
    record Step(String tool, String first, String second) {

        static Step of(String tool, String text) {
            return new Step(tool, text, "");
        }

        static Step write(String path, String content) {
            return new Step("write_file", path, content);
        }
    }

    record Texts(List<String> all) {}

    private ToolOutput perform(Step step, Context context) {
        var arguments = JsonNodeFactory.instance.objectNode();
        switch (step.tool()) {
            case "run_shell" -> arguments.put("command", step.first());
            case "run_python", "run_javascript" -> arguments.put("code", step.first());
            case "write_file" -> arguments.put("path", step.first()).put("content", step.second());
            case "read_file" -> arguments.put("path", step.first());
            default -> arguments.put("directory", step.first());
        }
        ToolCheck check = toolbox.check(new ToolCall("1", step.tool(), arguments.toString()));
        assertThat(check).isInstanceOf(ToolCheck.Fit.class);
        ToolCheck.Fit fit = (ToolCheck.Fit) check;
        return context.perform(
                new ToolUse(fit.tool(), fit.arguments(), "ann", "c", Guardrails.none()));
    }

    /** A node for each step. */
    private Graph<Texts> graph(Step... steps) {
        Graph.Builder<Texts> graph = Graph.of("steps", Texts.class);
        for (int i = 0; i < steps.length; i++) {
            Step step = steps[i];
            graph =
                    graph.node(
                                    "n" + i,
                                    (texts, context) -> {
                                        ToolOutput output = perform(step, context);
                                        List<String> more = new ArrayList<>(texts.all());
                                        more.add((output.isError() ? "! " : "") + output.text());
                                        return new Texts(more);
                                    })
                            .edge("n" + i, i + 1 < steps.length ? "n" + (i + 1) : Graph.END);
        }
        return graph.build();
    }

    private List<String> run(Step... steps) {
        Graph<Texts> graph = graph(steps);
        Run<Texts> run = runs.start(graph, new Texts(List.of()), "x");
        Status.Finished<Texts> end = (Status.Finished<Texts>) run.await();
        assertThat(end.reason()).isEqualTo(new StopReason.Completed());
        assertThat(runs.replay(graph, run.name()).isFaithful()).isTrue();
        return end.state().all();
    }

    @Test
    void eachLanguageRunsInABoxOfItsOwn() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.of("run_python", "print(6 * 7)"),
                                Step.of("run_shell", "echo $((6 * 7)); echo no >&2; exit 3"),
                                Step.of("run_python", "import os; print(os.listdir('.'))")))
                .containsExactly(
                        "outcome: exited 0\nstdout:\n42",
                        "! outcome: exited 3\nstdout:\n42\nstderr:\nno",
                        "outcome: exited 0\nstdout:\n['run_python.py']");
    }

    @Test
    void javascriptRunsWhereThereIsAnInterpreter() {
        Jail.assumed();
        assumeTrue(
                Sandboxes.tiers().stream()
                        .anyMatch(tier ->
                                tier.name().equals("jail")
                                        && tier.interpreter(
                                                        dev.glovebox.sandbox.Language.JAVASCRIPT,
                                                        POLICY)
                                                .isPresent()),
                "no JavaScript here");
        toolbox =
                Toolbox.of(
                        List.of(
                                BuiltInTools.runJavascript(
                                        POLICY.memory(dev.glovebox.sandbox.Bytes.mebibytes(512)),
                                        Workspace.of(trace))));
        assertThat(run(Step.of("run_javascript", "console.log(6 * 7)")))
                .containsExactly("outcome: exited 0\nstdout:\n42");
    }

    @Test
    void filesGoFromToolToProgramAndBack() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.write("data/in.txt", "2 3"),
                                Step.of(
                                        "run_python",
                                        """
                                        import os
                                        a, b = open('data/in.txt').read().split()
                                        os.makedirs('out/deep')
                                        open('out/deep/sum.txt', 'w').write(str(int(a) + int(b)))
                                        open('data/in.txt', 'a').write(' 4')
                                        os.symlink('/etc/passwd', 'link')
                                        open('.hidden', 'w').write('x')
                                        """),
                                Step.of("read_file", "out/deep/sum.txt"),
                                Step.of("read_file", "data/in.txt"),
                                Step.of("run_shell", "cat out/deep/sum.txt data/in.txt"),
                                Step.of("list_files", ""),
                                Step.of("list_files", "out")))
                .containsExactly(
                        "Wrote 3 bytes to data/in.txt",
                        "outcome: exited 0\nfiles written: data/in.txt, out/deep/sum.txt"
                                + "\nnot kept: link (it is not a regular file)",
                        "5",
                        "2 3 4",
                        "outcome: exited 0\nstdout:\n52 3 4",
                        "data/in.txt 5\nout/deep/sum.txt 1",
                        "out/deep/sum.txt 1");
    }

    @Test
    void whatAProgramRemovesOrMovesIsGone() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.write("a", "x"),
                                Step.write("b", "y"),
                                Step.of(
                                        "run_shell",
                                        "rm a; mkdir c; mv b c/b; mkdir a; echo z > a/a"),
                                Step.of("list_files", ""),
                                Step.of("run_shell", "cat a/a c/b; ls -d b")))
                .endsWith(
                        "outcome: exited 0\nfiles written: a/a, c/b\nfiles removed: a, b",
                        "a/a 2\nc/b 1",
                        "! outcome: exited 2\nstdout:\nz\ny\nstderr:\n"
                                + "ls: cannot access 'b': No such file or directory");
    }

    @Test
    void aNameThatIsNotUtf8IsNotInTheWayOfOtherFiles() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.write("old", "x"),
                                Step.write("odd/old", "x"),
                                Step.of(
                                        "run_shell",
                                        """
                                        echo x > $'\\xff'; echo z > z; rm old
                                        echo x > $'odd/\\xff'; echo x > odd/x; rm odd/old
                                        mkdir $'\\xfe'; echo x > $'\\xfe/x'
                                        """),
                                Step.of("list_files", "")))
                .satisfiesExactly(
                        said -> assertThat(said).startsWith("Wrote"),
                        said -> assertThat(said).startsWith("Wrote"),
                        said ->
                                assertThat(said)
                                        .contains("files written: odd/x, z\n")
                                        .contains("files removed: odd/old, old\n")
                                        .contains("not kept: odd/\ufffd (its name is not UTF-8)\n")
                                        .contains("not kept: \ufffd (its name is not UTF-8)"),
                        said -> assertThat(said).isEqualTo("odd/x 2\nz 2"));
    }

    @Test
    void whatIsHiddenIsNotKeptUnlessItWasThereAndAModelKnows() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.write(".env", "x"),
                                Step.of(
                                        "run_shell",
                                        "echo y > .env; mkdir .git; echo z | tee .git/a .b z"),
                                Step.of("list_files", "")))
                .endsWith("outcome: exited 0\nstdout:\nz\nfiles written: .env, z", ".env 2\nz 2");
        assertThat(toolbox.offers().getFirst().description())
                .contains("are kept for later calls, except new hidden ones (.name)");
    }

    @Test
    void noFolderIsLeftInThePlaceOfAProgram() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.of(
                                        "run_shell",
                                        """
                                        rm run_shell.sh; mkdir run_shell.sh run_python.py
                                        echo x > run_shell.sh/x; echo x > run_python.py/x; echo z > z
                                        """),
                                Step.of("run_shell", "ls run_shell.sh run_python.py z"),
                                Step.of("run_python", "print(1)")))
                .satisfiesExactly(
                        said ->
                                assertThat(said)
                                        .contains("files written: z\n")
                                        .contains("not kept: run_python.py/x (")
                                        .contains("not kept: run_shell.sh/x ("),
                        said -> assertThat(said).contains("stdout:\nrun_shell.sh\nz"),
                        said -> assertThat(said).isEqualTo("outcome: exited 0\nstdout:\n1"));
    }

    @Test
    void aFileThatWasWrittenBesideWhatInterpretersLeaveStaysThere() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.write("__pycache__/a", "x"),
                                Step.write("m.py", "x = 1"),
                                Step.of("run_python", "import m; open('b', 'w').write('x')"),
                                Step.of("list_files", ""),
                                Step.of("run_shell", "rm __pycache__/a"),
                                Step.of("list_files", "")))
                .endsWith(
                        "outcome: exited 0\nfiles written: b",
                        "__pycache__/a 1\nb 1\nm.py 5",
                        "outcome: exited 0\nfiles removed: __pycache__/a",
                        "b 1\nm.py 5");
    }

    @Test
    void aToolOfTheSameNameThatIsSomebodyElsesWritesNothingHere() {
        toolbox =
                Toolbox.of(
                        List.of(
                                BuiltInTools.listFiles(Workspace.of(trace)),
                                Tools.of(
                                        "write_file",
                                        "",
                                        FileTools.Write.class,
                                        file -> "Wrote 1 bytes to " + file.path())));
        assertThat(run(Step.write("a", "x"), Step.of("list_files", "")))
                .containsExactly("Wrote 1 bytes to a", "There are no files");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../../../x", "/etc/x", "b/../c", "run_python.py", "a/b"})
    void whatAToolOfSomebodyElseSaysItWroteIsAFileOnlyWhereOursCouldBe(String path) {
        toolbox =
                Toolbox.of(
                        List.of(
                                BuiltInTools.listFiles(Workspace.of(trace)),
                                Tools.of(
                                        "write_file",
                                        "",
                                        FileTools.Write.class,
                                        file -> ToolOutput.wrote(file.path()))));
        assertThat(run(Step.write("a", "x"), Step.write(path, "x"), Step.of("list_files", "")))
                .last()
                .isEqualTo("a 1");
    }

    @Test
    void callsSideBySideDoNotSeeEachOther() {
        Graph<Texts> graph =
                Graph.of("both", Texts.class)
                        .node(
                                "n",
                                (texts, context) -> {
                                    List<ToolUse> uses =
                                            Stream.of("a", "b", "c")
                                                    .map(path -> {
                                                        var file =
                                                                JsonNodeFactory.instance
                                                                        .objectNode()
                                                                        .put("path", path)
                                                                        .put("content", path);
                                                        Tool tool =
                                                                BuiltInTools.writeFile(
                                                                        Workspace.of(trace));
                                                        return new ToolUse(
                                                                tool,
                                                                file,
                                                                "ann",
                                                                path,
                                                                Guardrails.none());
                                                    })
                                                    .toList();
                                    var _ = context.performAll(uses);
                                    return new Texts(
                                            List.of(
                                                    perform(Step.of("list_files", ""), context)
                                                            .text()));
                                })
                        .edge("n", Graph.END)
                        .build();
        Run<Texts> run = runs.start(graph, new Texts(List.of()), "x");
        assertThat(((Status.Finished<Texts>) run.await()).state().all())
                .containsExactly("a 1\nb 1\nc 1");
    }

    @Test
    void noRunSeesTheFilesOfAnother() {
        assertThat(run(Step.write("a", "x"), Step.of("list_files", ""))).last().isEqualTo("a 1");
        assertThat(run(Step.of("list_files", ""), Step.of("read_file", "a")))
                .containsExactly("There are no files", "! There is no file a. There are no files");
    }

    @Test
    void aRunThatIsNotRecordedIsToldThatItHasNoFiles() {
        Run<Texts> run =
                runs.start(
                        graph(Step.write("a", "x"), Step.of("run_shell", "true")),
                        new Texts(List.of()),
                        RunOptions.titled("x").untraced());
        assertThat(((Status.Finished<Texts>) run.await()).state().all())
                .containsOnly(
                        "! The tool failed: Files are kept in the record of a run, and this one has none");
    }

    @Test
    void whoeverResumesARunHasItsFiles() {
        Step[] steps = {Step.write("a", "x"), Step.of("read_file", "a")};
        ToolRules rules = ToolRules.allowAll().rule("read_file").ask();
        String name;
        try (Runs before = Runs.in(trace, rules)) {
            Run<Texts> run = before.start(graph(steps), new Texts(List.of()), "x");
            assertThat(run.await()).isInstanceOf(Status.Waiting.class);
            name = run.name();
        }
        toolbox = Toolbox.of(BuiltInTools.all(POLICY, Workspace.of(trace)));
        try (Runs after = Runs.in(trace, rules)) {
            after.answer(name, after.questions(name).getFirst().key(), "yes", "me");
            Run<Texts> run = after.resume(graph(steps), name);
            assertThat(((Status.Finished<Texts>) run.awaitEnd()).state().all())
                    .containsExactly("Wrote 1 bytes to a", "x");
        }
    }

    @Test
    void whoeverForksARunHasItsFiles() {
        Step[] steps = {Step.write("a", "x"), Step.of("read_file", "a")};
        Run<Texts> whole = runs.start(graph(steps), new Texts(List.of()), "x");
        var _ = whole.await();
        // This one has nothing in memory.
        toolbox = Toolbox.of(BuiltInTools.all(POLICY, Workspace.of(trace)));
        long second;
        try (Stream<Entry> entries = trace.entries(whole.name(), 0)) {
            second =
                    entries.filter(entry ->
                                    entry.event() instanceof EffectIntent intent
                                            && intent.name().equals("read_file"))
                            .findFirst()
                            .orElseThrow()
                            .seq();
        }
        Run<Texts> fork = runs.fork(graph(steps), whole.name(), second);
        assertThat(((Status.Finished<Texts>) fork.await()).state().all())
                .containsExactly("Wrote 1 bytes to a", "x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/etc/passwd",
                "../x",
                "a/../../x",
                "a//b",
                "./a",
                "a/",
                "a\u0000b",
                "a\nb",
                "a\\b",
                "\u202ea",
                "a\ufe01",
                "a\u3164",
                "run_python.py",
                "run_python.py/x",
                "a/b/c/d/e/f/g/h/i"
            })
    void hostilePathsAreRefused(String path) {
        assertThat(run(Step.write(path, "x"), Step.of("list_files", "")))
                .satisfiesExactly(
                        said -> assertThat(said).startsWith("! The path ").contains("Expected: "),
                        said -> assertThat(said).isEqualTo("There are no files"));
    }

    @Test
    void tooLargeAndTooManyFilesAreRefused() {
        assertThat(run(Step.write("x".repeat(101), "")).getFirst()).startsWith("! The path");
        String half = "x".repeat(600_000);
        List<String> said =
                run(
                        Stream.iterate(0, i -> i < 15, i -> i + 1)
                                .map(i -> Step.write("f" + i, half))
                                .toArray(Step[]::new));
        assertThat(said.subList(0, 13)).allMatch(text -> text.startsWith("Wrote"));
        assertThat(said.subList(13, 15)).allMatch(text -> text.startsWith("! All files together"));
        assertThat(run(Step.write("a", "x"), Step.write("a/b", "x")).getLast())
                .isEqualTo("! There is the file a, so a/b cannot be one");
    }

    @Test
    void whatAProgramLeavesBehindIsBounded() {
        Jail.assumed();
        List<String> said =
                run(
                        Step.of(
                                "run_python",
                                """
                                for i in range(300): open(f'f{i:03}', 'w').write('x')
                                open('a_large', 'w').write('x' * 2_000_000)
                                open('odd\\nname', 'w').write('x')
                                """),
                        Step.of("list_files", ""));
        assertThat(said.getFirst())
                .contains("not kept: a_large (The file has 2000000 bytes")
                .contains("not kept: f200 (There are 200 files, and no more are allowed)");
        assertThat(said.getLast().lines()).hasSize(200);
    }

    @Test
    void ofLongOutputBeginningAndEndAreShown() {
        Jail.assumed();
        String said = run(Step.of("run_python", "print('a' * 3_000_000 + 'end')")).getFirst();
        assertThat(said)
                .startsWith("outcome: exited 0")
                .contains("\naaaa")
                .contains("[2983620 bytes are not shown]")
                .endsWith("aend");
        assertThat(said.length()).isLessThan(20_000);
    }

    @Test
    void aProgramThatTakesTooLongIsAnErrorWithItsReason() {
        Jail.assumed();
        toolbox =
                Toolbox.of(
                        List.of(
                                BuiltInTools.runShell(
                                        POLICY.wall(Duration.ofMillis(300)), Workspace.of(trace))));
        assertThat(run(Step.of("run_shell", "echo begun; sleep 100")))
                .containsExactly("! outcome: timed-out 300\nstdout:\nbegun");
    }

    @Test
    void thereIsNoNetworkAndNoHost() {
        Jail.assumed();
        assertThat(
                        run(
                                Step.of(
                                        "run_python",
                                        "import socket; socket.create_connection(('1.1.1.1', 53))")))
                .allMatch(said -> said.startsWith("! outcome: exited 1"));
        assertThat(toolbox.offers().getFirst().description()).contains("There is no network.");
    }

    @Test
    void whatNoWallEnforcesStopsTheRun() {
        assumeTrue(
                Sandboxes.tiers().stream()
                        .noneMatch(tier -> tier.isolation().atLeast(Isolation.MICROVM)),
                "there is such a wall here");
        toolbox =
                Toolbox.of(
                        List.of(
                                BuiltInTools.runShell(
                                        POLICY.isolation(Isolation.MICROVM), Workspace.of(trace))));
        Run<Texts> run = runs.start(graph(Step.of("run_shell", "true")), new Texts(List.of()), "x");
        assertThat(run.await().stop().orElseThrow()).isInstanceOf(StopReason.NotEnforceable.class);
    }

    @Test
    void aProgramThatIsTreatedInAnotherWayIsStillOneInTheRecord() {
        Tool shell = BuiltInTools.runShell(POLICY, Workspace.of(trace));
        ToolTraits slow = shell.traits().within(Duration.ofHours(1));
        ToolUse use =
                new ToolUse(
                        Tools.with(shell, slow),
                        JsonNodeFactory.instance.objectNode().put("command", "true"),
                        "ann",
                        "1",
                        Guardrails.none());
        assertThat(use.within()).contains(Duration.ofHours(1));
        assertThat(use.details().path("codeLength").asInt()).isEqualTo(4);
    }

    @Test
    void theReceiptIsOnRecordAsContentOfItsOwn() {
        Jail.assumed();
        Run<Texts> run =
                runs.start(graph(Step.of("run_python", "print(1)")), new Texts(List.of()), "x");
        Status.Finished<Texts> end = (Status.Finished<Texts>) run.await();
        assertThat(end.spent().sandboxMillis()).isPositive();
        assertThat(end.spent().toolCalls()).isEqualTo(1);
        try (Stream<Entry> entries = trace.entries(run.name(), 0)) {
            List<dev.glovebox.trace.Event> events = entries.map(Entry::event).toList();
            var intent =
                    events.stream()
                            .filter(EffectIntent.class::isInstance)
                            .map(event -> ((EffectIntent) event).details())
                            .findFirst()
                            .orElseThrow();
            assertThat(intent.path("codeLength").asInt()).isEqualTo(8);
            assertThat(intent.path("timeoutMillis").asInt()).isEqualTo(30_000);
            assertThat(intent.path("memoryBytes").asInt()).isEqualTo(256 << 20);
            var details =
                    events.stream()
                            .filter(EffectOutcome.class::isInstance)
                            .map(event -> ((EffectOutcome) event).details())
                            .findFirst()
                            .orElseThrow();
            assertThat(OutcomeJson.read(details.path("outcome"))).isEqualTo(new Outcome.Exited(0));
            assertThat(details.path("tier").asText()).isEqualTo("jail");
            assertThat(details.path("stdoutBytes").asInt()).isEqualTo(2);
            String digest = details.path("executed").path("blob").asText();
            assertThat(new String(trace.blob(digest).orElseThrow().content(), UTF_8))
                    .contains("policy_digest");
        }
    }
}
