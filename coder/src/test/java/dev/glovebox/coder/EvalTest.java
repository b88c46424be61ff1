package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Suspended;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What counts as solved, and what does not. */
class EvalTest {

    private static final Policy POLICY = Policy.denyAll().wall(Duration.ofSeconds(30));
    private static final Eval.Watcher NOBODY = (task, solved, attempts) -> {};

    private static final CorpusTask DOUBLE =
            new CorpusTask(
                    "T/0",
                    "def double(n: int) -> int:\n    \"\"\"Twice the number.\"\"\"\n",
                    "double",
                    "    return 2 * n\n",
                    """
                    def check(candidate):
                        assert candidate(2) == 4
                        assert candidate(-7) == -14
                        assert candidate(n=1000) == 2000
                    """);

    @TempDir Path keys;
    private Trace trace;
    private Runs runs;

    @BeforeAll
    static void needsTheJail() {
        Jail.assumed();
    }

    @BeforeEach
    void open() {
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    @AfterEach
    void close() {
        runs.close();
        trace.close();
    }

    private static Corpus of(CorpusTask... tasks) {
        return new Corpus(List.of(tasks), "0");
    }

    private static Settings settings(int attempts) {
        return new Settings(POLICY.json(), "", attempts);
    }

    private static Pipeline pipeline(Coder coder) {
        return new Pipeline(
                OfflinePlanner.standard(),
                coder,
                SandboxExecutor.of(POLICY),
                OfflineDebugger.withoutIndex());
    }

    private static Eval eval(Corpus corpus, Eval.Writer writer) {
        return new Eval(corpus, writer, settings(3), pipeline(OfflineCoder.standard()));
    }

    /** Somebody who writes a program for each plan. */
    private static Eval eval(Corpus corpus, Function<ExecutionPlan, CodeArtifact> writer) {
        Coder coder = (plan, context) -> new Coder.Coded.Code(writer.apply(plan));
        return new Eval(corpus, Eval.Writer.CODER, settings(1), pipeline(coder));
    }

    private Map<String, StatsRun> results(Eval eval, int jobs) {
        String name = eval.name();
        assertThat(eval.run(trace, runs, name, jobs, NOBODY))
                .isEqualTo(new Eval.Lack(Optional.empty(), Optional.empty()));
        return Eval.results(trace, name);
    }

    private StatsRun result(String program) {
        CodeArtifact code = CodeArtifact.of(Language.PYTHON, program);
        return only(results(eval(of(DOUBLE), plan -> code), 1));
    }

    private static StatsRun only(Map<String, StatsRun> results) {
        assertThat(results).hasSize(1);
        return results.values().iterator().next();
    }

    private static Set<String> solved(Map<String, StatsRun> results) {
        return results.entrySet().stream()
                .filter(one -> one.getValue().isSolved())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    @Test
    void the_solutions_of_humaneval_are_all_solutions() {
        Corpus corpus = HumanEval.corpus();
        Map<String, StatsRun> results = results(eval(corpus, Eval.Writer.ORACLE), 2);
        Set<String> unsolved = new HashSet<>(results.keySet());
        unsolved.removeAll(solved(results));
        assertThat(results).hasSize(164);
        assertThat(unsolved).isEmpty();
    }

    @Test
    void functions_of_humaneval_that_return_nothing_solve_nothing() {
        Corpus corpus = HumanEval.corpus();
        AtomicInteger next = new AtomicInteger();
        Map<String, StatsRun> results =
                results(
                        eval(
                                corpus,
                                plan -> {
                                    String wrong =
                                            List.of("None", "True", "0", "[]", "''")
                                                    .get(next.getAndIncrement() % 5);
                                    String prompt = plan.task().split("\n\n", 2)[1];
                                    return CodeArtifact.of(
                                            Language.PYTHON, prompt + "    return " + wrong);
                                }),
                        2);
        assertThat(results).hasSize(164);
        assertThat(solved(results)).isEmpty();
    }

    @Test
    void a_right_solution_is_one() {
        StatsRun result = result(DOUBLE.prompt() + DOUBLE.solution());
        assertThat(result.isSolved()).isTrue();
        assertThat(result.attempts()).isEqualTo(1);
        assertThat(result.programs()).hasSize(2);
        assertThat(trace.verify(result.row().run())).isInstanceOf(Verdict.Intact.class);
    }

    @Test
    void a_solution_may_print_and_need_not_be_neat() {
        assertThat(result("print('hello')\ndef double(n):\n    print(n)\n    return n + n\n"))
                .extracting(StatsRun::isSolved)
                .isEqualTo(true);
    }

    static List<String> cheats() {
        return List.of(
                """
                def double(n):
                    return 4
                """,
                """
                def triple(n):
                    return 2 * n
                """,
                """
                import sys
                sys.exit(0)
                """,
                """
                import os
                os._exit(0)
                """,
                """
                import os
                def double(n):
                    os._exit(0)
                """,
                """
                import sys
                def double(n):
                    sys.exit(0)
                """,
                """
                def check(candidate):
                    pass
                def double(n):
                    return 0
                """,
                // It is equal to everything.
                """
                class Any(int):
                    def __eq__(self, other):
                        return True
                def double(n):
                    return Any(0)
                """,
                """
                class Any:
                    def __eq__(self, other):
                        return True
                def double(n):
                    return Any()
                """,
                // What it prints is not what the judge prints.
                """
                import os
                print('0' * 32)
                os.write(1, b'0' * 32)
                def double(n):
                    return 0
                """,
                // It waits for the end.
                """
                import atexit, os
                atexit.register(os._exit, 0)
                def double(n):
                    return 0
                """,
                // It ends the judge.
                """
                import os, signal
                def double(n):
                    os.kill(os.getppid(), signal.SIGTERM)
                    return 0
                """,
                // It answers before it is asked, and goes.
                """
                import os
                for file in range(3, 9):
                    try:
                        os.write(file, b'{"value": 4}\\n' * 9)
                    except OSError:
                        pass
                def double(n):
                    os._exit(0)
                """,
                // It leaves modules for the judge to load.
                """
                for name in ('math', 'random', 'json', 'traceback'):
                    with open(name + '.py', 'w') as out:
                        out.write('import os; os._exit(0)')
                def double(n):
                    return 0
                """,
                """
                import builtins
                builtins.AssertionError = KeyError
                def double(n):
                    raise RuntimeError('no')
                """);
    }

    @ParameterizedTest
    @MethodSource("cheats")
    void what_is_no_solution_never_counts_as_one(String program) {
        assertThat(result(program).isSolved()).isFalse();
    }

    /** It looks wherever the word and the tests might be, and tells what it found. */
    @Test
    void a_solution_finds_neither_the_tests_nor_the_word() {
        StatsRun result =
                result(
                        """
                        import glob, os, sys
                        def double(n):
                            found = []
                            places = glob.glob("/proc/%d/*" % os.getppid()) + glob.glob("*")
                            places += glob.glob("/proc/%d/fd/*" % os.getppid()) + glob.glob("/tmp/*")
                            for place in places:
                                try:
                                    with open(place, "rb") as file:
                                        text = file.read(1 << 20)
                                except OSError:
                                    continue
                                if b"n=1000) ==" in text and not place.startswith("main"):
                                    found.append(place)
                            try:
                                with open("/proc/%d/mem" % os.getppid(), "rb") as file:
                                    found.append("mem")
                            except OSError:
                                pass
                            sys.stderr.write("found " + repr(found))
                            return 0 if found else 2 * n
                        """);
        assertThat(result.isSolved()).isTrue();
    }

    @Test
    void files_beside_the_code_do_not_change_the_judge() {
        CodeArtifact code = CodeArtifact.of(Language.PYTHON, "def double(n):\n    return 0\n");
        String exit = "import os\nprint('x')\nos._exit(0)\n";
        for (String name : List.of("json.py", "ctypes.py", "sitecustomize.py", "judge.py")) {
            code = code.file(name, exit);
        }
        CodeArtifact all = code;
        assertThat(solved(results(eval(of(DOUBLE), plan -> all), 1))).isEmpty();
    }

    @Test
    void whoever_writes_and_repairs_does_not_see_the_tests() {
        ConcurrentLinkedQueue<Check> seen = new ConcurrentLinkedQueue<>();
        Coder coder =
                (plan, context) -> {
                    seen.addAll(plan.checks());
                    return new Coder.Coded.Code(
                            CodeArtifact.of(Language.PYTHON, "def double(n):\n    return 0\n"));
                };
        Pipeline parts = pipeline(coder);
        Debugger debugger =
                (trouble, context) -> {
                    seen.addAll(trouble.plan().checks());
                    return parts.debugger().repair(trouble, context);
                };
        Pipeline all = new Pipeline(parts.planner(), coder, parts.executor(), debugger);
        results(new Eval(of(DOUBLE), Eval.Writer.CODER, settings(3), all), 1);
        assertThat(seen).hasSize(2).containsOnly(new Check.Exits(0));
    }

    @Test
    void a_program_that_is_broken_is_repaired_and_that_is_counted() {
        // The third problem loses a colon.
        CorpusTask loop =
                new CorpusTask(
                        "T/2",
                        DOUBLE.prompt(),
                        "double",
                        "    if n > 0:\n        return n + n\n    return 2 * n\n",
                        DOUBLE.test());
        Corpus corpus =
                of(
                        new CorpusTask(
                                "T/0", DOUBLE.prompt(), "double", loop.solution(), loop.test()),
                        new CorpusTask(
                                "T/1", DOUBLE.prompt(), "double", loop.solution(), loop.test()),
                        loop);
        Map<String, StatsRun> results = results(eval(corpus, Eval.Writer.ORACLE_WITH_BUGS), 2);
        assertThat(results.get("T/2"))
                .returns(true, StatsRun::isSolved)
                .returns(2, StatsRun::attempts)
                .satisfies(run -> assertThat(run.categories()).hasSize(1));
    }

    @Test
    void what_is_interrupted_goes_on_and_does_nothing_twice() {
        CorpusTask[] tasks = new CorpusTask[6];
        for (int i = 0; i < tasks.length; i++) {
            tasks[i] =
                    new CorpusTask(
                            "T/" + i, DOUBLE.prompt(), "double", DOUBLE.solution(), DOUBLE.test());
        }
        Eval eval = eval(of(tasks), Eval.Writer.ORACLE);
        String name = eval.name();
        Set<String> first = ConcurrentHashMap.newKeySet();
        Runs interrupted = Runs.in(trace);
        assertThatThrownBy(() ->
                        eval.run(
                                trace,
                                interrupted,
                                name,
                                1,
                                (task, solved, attempts) -> {
                                    first.add(task);
                                    if (first.size() == 2) {
                                        Thread.ofVirtual().start(interrupted::close);
                                        pause();
                                    }
                                }))
                .isInstanceOf(Suspended.class);
        assertThat(eval.tried(trace, name)).isEqualTo(2);

        Eval again = eval(of(tasks), Eval.Writer.ORACLE);
        assertThat(again.isNamed(name)).isTrue();
        Set<String> second = ConcurrentHashMap.newKeySet();
        again.run(trace, runs, name, 1, (task, solved, attempts) -> second.add(task));
        assertThat(second).doesNotContainAnyElementsOf(first);
        assertThat(solved(Eval.results(trace, name))).hasSize(6);
        assertThat(Stats.rows(trace, Optional.of("eval " + name))).hasSize(6);
    }

    private static void pause() {
        try {
            Thread.sleep(200);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void another_corpus_or_other_settings_have_another_name() {
        Pipeline pipeline = pipeline(OfflineCoder.standard());
        Eval eval = new Eval(of(DOUBLE), Eval.Writer.ORACLE, settings(3), pipeline);
        Eval more = new Eval(of(DOUBLE), Eval.Writer.ORACLE, settings(4), pipeline);
        Eval bugs = new Eval(of(DOUBLE), Eval.Writer.ORACLE_WITH_BUGS, settings(3), pipeline);
        Eval other =
                new Eval(
                        new Corpus(List.of(DOUBLE), "1"),
                        Eval.Writer.ORACLE,
                        settings(3),
                        pipeline);
        assertThat(List.of(more, bugs, other)).noneMatch(one -> one.isNamed(eval.name()));
    }

    @Test
    void what_was_tried_replays_faithfully() {
        Eval eval = eval(of(DOUBLE), Eval.Writer.ORACLE);
        StatsRun result = only(results(eval, 1));
        String run = result.row().run();
        Work first = RecordedRun.of(trace, run).beginning(Work.class);
        Graph<Work> graph = pipeline(EvalTest::nobody).graph(first);
        assertThat(runs.replay(graph, run).isFaithful()).isTrue();
    }

    private static Coder.Coded nobody(ExecutionPlan plan, Context context) {
        throw new AssertionError("Nobody has to write this");
    }
}
