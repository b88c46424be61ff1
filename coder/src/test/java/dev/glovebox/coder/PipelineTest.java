package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.conformance.Census;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The four roles together, and what each of them gets to see. */
@Timeout(300)
class PipelineTest {

    private static final Settings SETTINGS = new Settings(Policy.denyAll().json(), "", 3);

    private Trace trace;
    private Runs runs;

    @BeforeEach
    void open(@TempDir Path keys) {
        Jail.assumed();
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        if (runs != null) {
            runs.close();
            trace.close();
        }
    }

    private static Pipeline offline() {
        return new Pipeline(
                OfflinePlanner.standard(),
                OfflineCoder.standard(),
                SandboxExecutor.of(Policy.denyAll()),
                OfflineDebugger.withoutIndex());
    }

    private Status.Finished<Work> run(Pipeline pipeline, Work work) {
        Status.Finished<Work> end =
                (Status.Finished<Work>)
                        runs.start(pipeline.graph(work), work, RunOptions.titled("test")).await();
        assertThat(runs.replay(pipeline.graph(work), end.run()).isFaithful()).isTrue();
        return end;
    }

    private static ExecutionPlan plan(Language language, Check... checks) {
        return new ExecutionPlan(
                language,
                List.of(),
                false,
                "do it",
                "",
                JsonNodeFactory.instance.objectNode(),
                ExecutionPlan.OutputKind.TEXT,
                List.of(checks));
    }

    private static Work given(String source, Check... checks) {
        return given(Language.PYTHON, source, checks);
    }

    private static Work given(Language language, String source, Check... checks) {
        return Work.of(
                Task.of("do it"),
                SETTINGS,
                plan(language, checks),
                CodeArtifact.of(language, source));
    }

    @Test
    void aSentenceBecomesCodeThatRan() {
        Status.Finished<Work> end =
                run(offline(), Work.of(Task.of("mean of 3, 5 and 10 in python"), SETTINGS));
        assertThat(end.isCompleted()).isTrue();
        assertThat(end.state().attempts()).hasSize(1);
        assertThat(end.state().best().orElseThrow().report().stdout()).contains("6");
        assertThat(trace.verify(end.run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void whatNoRecipeCoversNeedsInput() {
        Status.Finished<Work> end =
                run(offline(), Work.of(Task.of("Train a neural network on cats"), SETTINGS));
        assertThat(end.reason())
                .isInstanceOfSatisfying(
                        StopReason.NeedsInput.class,
                        stop -> assertThat(stop.what()).contains("--model"));
    }

    @Test
    void brokenCodeIsRepairedAndTriedAgain() {
        Status.Finished<Work> end =
                run(offline(), given("print(math.sqrt(16))\n", new Check.Exits(0)));
        assertThat(end.isCompleted()).isTrue();
        assertThat(end.state().attempts()).hasSize(2);
        assertThat(end.state().attempts().getFirst().diagnosis().orElseThrow().category())
                .isEqualTo("missing-import");
        assertThat(end.state().best().orElseThrow().report().stdout()).isEqualTo("4.0\n");
    }

    @Test
    void eachCheckOfThePlanCounts() {
        String hello = "print('hello')\n";
        assertThat(run(offline(), given(hello, new Check.Prints("hello"))).isCompleted()).isTrue();
        assertThat(run(offline(), given(hello, new Check.Matches("l{2}"))).isCompleted()).isTrue();
        assertThat(problems(given(hello, new Check.Prints("bye"))))
                .containsExactly("It should print 'bye', and printed 'hello'");
        assertThat(problems(given(hello, new Check.Matches("bye")))).hasSize(1);
        assertThat(problems(given(hello, new Check.Matches("(unfinished")))).hasSize(1);
        assertThat(problems(given(hello, new Check.Exits(3)))).hasSize(1);
        assertThat(run(offline(), given("exit(3)\n", new Check.Exits(3))).isCompleted()).isTrue();
    }

    private List<String> problems(Work work) {
        Status.Finished<Work> end = run(offline(), work);
        assertThat(end.isCompleted()).isFalse();
        return end.state().attempts().getFirst().problems();
    }

    @Test
    void aTestProgramDecides() {
        Check.Passes adds =
                new Check.Passes("check.py", "import main\nassert main.add(2, 2) == 4\n");
        assertThat(run(offline(), given("def add(a, b):\n    return a + b\n", adds)).isCompleted())
                .isTrue();
        assertThat(problems(given("def add(a, b):\n    return a - b\n", adds)))
                .singleElement()
                .asString()
                .contains("check.py fails");
    }

    @Test
    void aProgramThatShouldFailIsTestedToo() {
        Check.Passes wrong = new Check.Passes("check.py", "assert False\n");
        assertThat(problems(given("exit(3)\n", new Check.Exits(3), wrong)))
                .singleElement()
                .asString()
                .contains("check.py fails");
        Check.Passes right = new Check.Passes("check.py", "assert True\n");
        assertThat(run(offline(), given("exit(3)\n", new Check.Exits(3), right)).isCompleted())
                .isTrue();
    }

    @Test
    void aTestThatWasNotRunHasNotPassed() {
        Check.Passes right = new Check.Passes("check.py", "assert True\n");
        assertThat(problems(given("exit(3)\n", right)))
                .containsExactly("The test check.py was not run, since the program exited 3");
        assertThat(problems(given("exit(0)\n", new Check.Exits(3), right))).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PYTHON|import sys; sys.exit(0)|import main; assert False",
                "PYTHON|import os; os._exit(0)|import main; assert False",
                "JAVASCRIPT|process.exit(0)|require('./main.js'); throw new Error('wrong')",
                "JAVASCRIPT|setTimeout(() => process.exit(0), 1)"
                        + "|require('./main.js'); setTimeout(() => { throw new Error() }, 1000)",
                "BASH|exit 0|. ./main.sh; false"
            })
    void codeThatEndsItsTestDoesNotPassIt(Language language, String source, String test) {
        assertThat(
                        problems(
                                given(
                                        language,
                                        source,
                                        new Check.Passes("check-" + language.filename(), test))))
                .singleElement()
                .asString()
                .endsWith(" fails: it ended before it had come to its end");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PYTHON|import atexit; atexit.register(print, 'bye'); print('no line', end='')"
                        + "|import io, main, sys; sys.stdout = io.StringIO(); print = None",
                "PYTHON|import threading; threading.Timer(0.1, lambda: print('late')).start()"
                        + "|import main  # and that is all",
                "JAVASCRIPT|process.on('exit', () => console.error('bye'))"
                        + "|console.log = process.stdout.write = () => true; require('./main.js')",
                "JAVASCRIPT|exports.one = async () => 1"
                        + "|require('node:test')('t', async () => (await require('./main.js').one()).toFixed())",
                "BASH|echo 4|[ $(bash main.sh) = 4 ]"
            })
    void aTestThatComesToItsEndPassesWhateverElseIsPrinted(
            Language language, String source, String test) {
        assertThat(
                        run(
                                        offline(),
                                        given(
                                                language,
                                                source,
                                                new Check.Passes(
                                                        "check-" + language.filename(), test)))
                                .isCompleted())
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "JAVASCRIPT|exports.one = async () => 1"
                        + "|require('./main.js').one().then((n) => { if (n !== 2) throw new Error() })",
                "BASH|echo 4|[ $(bash main.sh) = 5 ]"
            })
    void theEndOfATestDoesNotHideThatItFails(Language language, String source, String test) {
        assertThat(
                        problems(
                                given(
                                        language,
                                        source,
                                        new Check.Passes("check-" + language.filename(), test))))
                .singleElement()
                .asString()
                .endsWith(" fails: exited 1");
    }

    private static ExecutionReport failing(int attempt) {
        return new ExecutionReport(
                attempt,
                ExecutionReport.Step.RUN,
                new Outcome.Exited(1),
                "",
                "bad luck",
                List.of(),
                Map.of(),
                JsonNodeFactory.instance.objectNode(),
                Duration.ZERO);
    }

    @Test
    void anAttemptThatWasMadeBeforeIsRefusedAndTheDebuggerIsTold() {
        List<Integer> told = new ArrayList<>();
        Debugger stubborn =
                (trouble, context) -> {
                    told.add(trouble.refusals());
                    return new Debugger.Repair(
                            new Diagnosis("unknown", "no idea", "the same again", 0.1),
                            Optional.of(trouble.last().artifact()));
                };
        Pipeline pipeline =
                new Pipeline(
                        OfflinePlanner.standard(),
                        OfflineCoder.standard(),
                        (code, plan, attempt, context) -> failing(attempt),
                        stubborn);
        Work work = given("print(1)\n", new Check.Exits(0));
        Status.Finished<Work> end =
                (Status.Finished<Work>)
                        runs.start(pipeline.graph(work), work, RunOptions.titled("x")).await();
        assertThat(end.reason()).isInstanceOf(StopReason.NeedsInput.class);
        assertThat(end.state().attempts()).hasSize(1);
        assertThat(told).containsExactly(0, 1, 2);
    }

    @Test
    void noMoreAttemptsAreMadeThanWereAllowedAndTheBestIsKept() {
        Debugger busy =
                (trouble, context) ->
                        new Debugger.Repair(
                                new Diagnosis("unknown", "no idea", "another one", 0.1),
                                Optional.of(
                                        trouble.last()
                                                .artifact()
                                                .source(
                                                        "print(%d)"
                                                                .formatted(
                                                                        trouble.attempts()
                                                                                .size()))));
        Pipeline pipeline =
                new Pipeline(
                        OfflinePlanner.standard(),
                        OfflineCoder.standard(),
                        (code, plan, attempt, context) -> failing(attempt),
                        busy);
        Work work = given("print(0)\n", new Check.Exits(0));
        Status.Finished<Work> end =
                (Status.Finished<Work>)
                        runs.start(pipeline.graph(work), work, RunOptions.titled("x")).await();
        assertThat(end.reason()).isEqualTo(new StopReason.AttemptsExhausted(3));
        assertThat(end.state().best().orElseThrow().report().attempt()).isEqualTo(3);
    }

    private void atOnce(int many) {
        List<String> words = List.of("mean of 3, 5 and %d", "fibonacci first %d numbers");
        List<Run<Work>> all = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            Language language = i % 3 == 0 ? Language.JAVASCRIPT : Language.PYTHON;
            String sentence = words.get(i % words.size()).formatted(i + 3);
            // Every tenth is code that has to be repaired first.
            Work work =
                    i % 10 == 9
                            ? given("print(math.sqrt(%d))\n".formatted(i), new Check.Exits(0))
                            : Work.of(Task.of(sentence).in(language), SETTINGS);
            all.add(runs.start(offline().graph(work), work, RunOptions.titled("run " + i)));
        }
        for (Run<Work> run : all) {
            Status.Finished<Work> end = (Status.Finished<Work>) run.await();
            assertThat(end.reason()).isEqualTo(new StopReason.Completed());
            assertThat(trace.verify(end.run())).isInstanceOf(Verdict.Intact.class);
        }
    }

    @Test
    void aHundredAtOnceAllFinishAndVerifyAndLeaveNothingBehind() throws Exception {
        // So that what stays for good is there before anybody counts.
        atOnce(10);
        Census before = Census.take();
        atOnce(100);
        before.assertNothingWasAdded();
    }
}
