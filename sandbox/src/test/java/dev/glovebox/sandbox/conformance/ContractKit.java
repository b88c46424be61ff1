package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a program is given, and how its end is told. */
public abstract class ContractKit extends ConformanceKit {

    private static final Set<String> ALWAYS_SET = Set.of("PATH", "HOME", "TMPDIR", "LANG");
    // Every bash that starts a program sets these two.
    private static final Set<String> SET_BY_BASH = Set.of("SHLVL", "_");
    private static final int ENDINGS_IN_A_ROW = 20;

    // How a program ended

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 126, 127, 128, 129, 137, 139, 143, 255})
    void anExitCodeIsTold(int code) {
        try (Sandbox box = open(Language.BASH)) {
            Result result = box.run(Program.bash("exit " + code));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(code));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6, 9, 10, 13, 14, 15})
    void aSignalThatTheProgramSendsItselfIsTold(int signal) {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os, signal
                                    number = %d
                                    if number not in (signal.SIGKILL, signal.SIGSTOP):
                                        signal.signal(number, signal.SIG_DFL)
                                    os.kill(os.getpid(), number)
                                    """
                                            .formatted(signal)));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Signalled(signal));
        }
    }

    @Test
    void aCrashIsASignal() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result = box.run(Program.python("import ctypes; ctypes.string_at(0)"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Signalled(11));
        }
    }

    @Test
    void anExitCodeOf137IsNeverTakenForSignal9() {
        try (Sandbox box = open(Language.BASH)) {
            for (int i = 0; i < ENDINGS_IN_A_ROW; i++) {
                assertThat(box.run(Program.bash("exit 137")).outcome())
                        .isEqualTo(new Outcome.Exited(137));
                assertThat(box.run(Program.bash("kill -9 $$")).outcome())
                        .isEqualTo(new Outcome.Signalled(9));
            }
        }
    }

    @Test
    void aChildsSignalIsNotTheProgramsOwn() {
        try (Sandbox box = open(Language.BASH)) {
            Result result = box.run(Program.bash("bash -c 'kill -9 $$'; exit 5"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(5));
        }
    }

    @Test
    void aProgramThatStopsItselfRunsIntoItsTimeLimit() {
        Duration wall = seconds(1);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            Result result = box.run(Program.bash("echo before; kill -STOP $$; echo after"));
            assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(wall));
            assertThat(result.stdout().text()).isEqualTo("before\n");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no-such-command", "/no/such/command", "./no-such-file", "-x", "", " "})
    void anUnknownCommandIsNotStarted(String name) {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            assertNothingRan(box.run(Program.command(name)));
        }
    }

    @Test
    void whatIsNoProgramIsNotStarted() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            box.files().makeDirectory("directory");
            box.files().write("notes.txt", utf8("just text"));
            assertNothingRan(box.run(Program.command("./directory")));
            assertNothingRan(box.run(Program.command("./notes.txt")));
        }
    }

    @Test
    void whatTheKernelCannotExecuteIsNotStarted() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open(Language.PYTHON)) {
            Result made =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    open('binary', 'wb').write(b'\\x7fELF\\0\\0\\0\\0garbage')
                                    open('script', 'w').write('#!/no/such/interpreter\\n')
                                    os.chmod('binary', 0o755)
                                    os.chmod('script', 0o755)
                                    """));
            assertThat(made.outcome().success()).as(told(made)).isTrue();
            assertNotStarted(box.run(Program.command("./binary")));
            assertNotStarted(box.run(Program.command("./script")));
        }
    }

    @Test
    void anArgumentThatIsTooLongForTheKernelIsNotStartedAndTheBoxLivesOn() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            assertNotStarted(box.run(Program.command("echo", "x".repeat(200_000))));
            assertThat(box.run(Program.command("echo", "short")).stdout().text())
                    .isEqualTo("short\n");
        }
    }

    /** The system may have its say on standard error. */
    private static void assertNotStarted(Result result) {
        assertThat(result.outcome()).as(told(result)).isInstanceOf(Outcome.NotStarted.class);
        assertThat(result.stdout().total()).as(told(result)).isZero();
    }

    private static void assertNothingRan(Result result) {
        assertNotStarted(result);
        assertThat(result.stderr().total()).as(told(result)).isZero();
    }

    // Languages and commands

    @Test
    void runsPython() {
        try (Sandbox box = open(Language.PYTHON)) {
            assertSays(box.run(Program.python("print(6 * 7, 'ä')")), "42 ä\n");
        }
    }

    @Test
    void runsJavascript() {
        try (Sandbox box = open(Language.JAVASCRIPT)) {
            assertSays(box.run(Program.javascript("console.log(6 * 7, 'ä')")), "42 ä\n");
        }
    }

    @Test
    void runsBash() {
        try (Sandbox box = open(Language.BASH)) {
            assertSays(box.run(Program.bash("echo $((6 * 7)) ä")), "42 ä\n");
        }
    }

    @Test
    void runsACommandFoundThroughItsPath() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            assertSays(box.run(Program.command("expr", "6", "*", "7")), "42\n");
        }
    }

    @Test
    void runsACommandOfTheScratchByItsRelativePath() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open(Language.BASH)) {
            assertSays(
                    box.run(Program.bash("printf '#!/bin/sh\\necho $1' > tool; chmod +x tool")),
                    "");
            assertSays(box.run(Program.command("./tool", "42")), "42\n");
        }
    }

    @Test
    void aSourceFileOfTheHostKeepsItsName(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("my program.py"), "print(__file__)");
        try (Sandbox box = open(Language.PYTHON)) {
            Result result = box.run(Program.script(Language.PYTHON, file));
            assertThat(result.stdout().text()).as(told(result)).endsWith("/my program.py\n");
        }
    }

    @Test
    void aProgramStartsInItsScratchWhichIsItsHome() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os, tempfile
                                    print(os.path.samefile(os.getcwd(), os.environ['HOME']))
                                    print(os.path.exists('main.py'))
                                    with tempfile.NamedTemporaryFile() as file:
                                        print(file.write(b'x'))
                                    """));
            assertSays(result, "True\nTrue\n1\n");
        }
    }

    private static void assertSays(Result result, String text) {
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().text()).as(told(result)).isEqualTo(text);
    }

    // Arguments

    private static final List<String> ARGUMENTS =
            List.of(
                    "",
                    " ",
                    "two words",
                    "'",
                    "\"",
                    "it's \"quoted\"",
                    "\\",
                    "\\n",
                    "\n",
                    "two\nlines\n",
                    "\r\n",
                    "\t",
                    "$HOME",
                    "${PATH}",
                    "$(id)",
                    "`id`",
                    "*",
                    "~",
                    "!!",
                    "%s",
                    "{a,b}",
                    "a=b",
                    ";",
                    "|",
                    ">out",
                    "#",
                    "-",
                    "--",
                    "-c",
                    "--help",
                    "ünïcödé 漢字 😀",
                    everyCharacter(1, 0x800, 1),
                    everyCharacter(0x800, 0x110000, 0x40),
                    "");

    /** Together the two use every byte that UTF-8 allows. */
    private static String everyCharacter(int from, int to, int step) {
        StringBuilder text = new StringBuilder();
        for (int point = from; point < to; point += step) {
            if (point < Character.MIN_SURROGATE || point > Character.MAX_SURROGATE) {
                text.appendCodePoint(point);
            }
        }
        return text.toString();
    }

    @Test
    void argumentsArriveAsTheyAreInAScript() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                            """
                                            import os, sys
                                            for word in sys.argv[1:]:
                                                sys.stdout.buffer.write(os.fsencode(word) + b'\\0')
                                            """)
                                    .args(ARGUMENTS.toArray(String[]::new)));
            assertThat(fields(result)).isEqualTo(ARGUMENTS);
        }
    }

    @Test
    void argumentsArriveAsTheyAreInACommand() {
        promised(Promise.COMMANDS);
        try (Sandbox box = open()) {
            Result result =
                    box.run(
                            Program.command("printf", "%s\\0")
                                    .args(ARGUMENTS.toArray(String[]::new)));
            assertThat(fields(result)).isEqualTo(ARGUMENTS);
        }
    }

    @Test
    void aThousandArgumentsArrive() {
        String[] many = new String[1000];
        Arrays.setAll(many, i -> "argument " + i);
        try (Sandbox box = open(Language.BASH)) {
            Result result = box.run(Program.bash("printf '%s\\0' \"$@\"").args(many));
            assertThat(fields(result)).containsExactly(many);
        }
    }

    private static List<String> fields(Result result) {
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        List<String> fields = new ArrayList<>(List.of(result.stdout().text().split("\0", -1)));
        assertThat(fields.removeLast()).isEmpty();
        return fields;
    }

    // The environment

    @Test
    void theEnvironmentIsWhatPolicyAndProgramName() {
        Policy policy = policy().env("FROM_POLICY", "p").env("BOTH", "policy");
        try (Sandbox box = open(policy, Language.PYTHON)) {
            Map<String, String> environment =
                    environment(box, Map.of("FROM_PROGRAM", "q", "BOTH", "program"));
            assertThat(environment.keySet()).containsAll(ALWAYS_SET);
            environment.keySet().removeAll(ALWAYS_SET);
            environment.keySet().removeAll(SET_BY_BASH);
            assertThat(environment)
                    .containsOnly(
                            entry("FROM_POLICY", "p"),
                            entry("FROM_PROGRAM", "q"),
                            entry("BOTH", "program"));
        }
    }

    @Test
    void aVariableKeepsWhateverItsValueIs() {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < ARGUMENTS.size(); i++) {
            given.put("V" + i, ARGUMENTS.get(i));
        }
        try (Sandbox box = open(Language.PYTHON)) {
            assertThat(environment(box, given)).containsAllEntriesOf(given);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "words",
                "variables",
                "variable",
                "id",
                "directory",
                "count",
                "order",
                "status",
                "limits",
                "IFS",
                "PS4",
                "PWD",
                "OLDPWD",
                "UID",
                "EUID",
                "PPID",
                "RANDOM",
                "SECONDS",
                "LINENO",
                "SHELLOPTS",
                "BASHOPTS",
                "BASH_ENV",
                "ENV",
                "BASH_VERSION",
                "POSIXLY_CORRECT",
                "GLOBIGNORE",
                "DIRSTACK",
                "GROUPS",
                "HOSTNAME",
                "TERM"
            })
    void aVariableMayHaveAnyNameEvenOneThatShellsUseThemselves(String name) {
        try (Sandbox box = open(policy(), Language.PYTHON)) {
            assertThat(environment(box, Map.of(name, "mine"))).contains(entry(name, "mine"));
        }
    }

    @Test
    void aVariableOfOneCommandIsNotThereForTheNext() {
        try (Sandbox box = open(Language.PYTHON)) {
            assertThat(environment(box, Map.of("ONCE", "1"))).containsKey("ONCE");
            assertThat(environment(box, Map.of())).doesNotContainKey("ONCE");
        }
    }

    private static Map<String, String> environment(Sandbox box, Map<String, String> given) {
        Program program =
                Program.python(
                        """
                        import os, sys
                        for name, value in os.environb.items():
                            sys.stdout.buffer.write(name + b'=' + value + b'\\0')
                        """);
        for (Map.Entry<String, String> one : given.entrySet()) {
            program = program.env(one.getKey(), one.getValue());
        }
        return fields(box.run(program)).stream()
                .map(field -> field.split("=", 2))
                .collect(
                        Collectors.toMap(
                                pair -> pair[0], pair -> pair[1], (a, b) -> b, TreeMap::new));
    }

    @Test
    void nothingOfTheHostsEnvironmentIsFoundInAnyProcessOfTheBox() throws Exception {
        promised(Promise.PROCESSES_HIDDEN);
        String secret = UUID.randomUUID().toString();
        ProcessBuilder bystander = new ProcessBuilder("sleep", "60");
        bystander.environment().put("GLOVEBOX_TEST_SECRET", secret);
        Process process = bystander.start();
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import glob, sys
                                    seen = 0
                                    for file in glob.glob('/proc/[0-9]*/environ'):
                                        try:
                                            sys.stdout.buffer.write(open(file, 'rb').read())
                                            seen += 1
                                        except OSError:
                                            pass
                                    print(seen, file=sys.stderr)
                                    """));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stderr().text().strip()).as("environments read").isNotEqualTo("0");
            assertThat(result.stdout().text()).doesNotContain(secret);
            Set<String> ours = Set.of("PATH", "HOME", "TMPDIR", "LANG", "SHLVL", "PWD", "_");
            System.getenv()
                    .forEach((name, value) -> {
                        if (!ours.contains(name)) {
                            assertThat(result.stdout().text()).doesNotContain(name + "=" + value);
                        }
                    });
        } finally {
            process.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
    }

    // Files in and out

    @Test
    void inputFilesAreThereAndResultFilesComeBack() {
        byte[] content = {0, (byte) 0xff, '\n', (byte) 0xc3};
        try (Sandbox box = open(Language.BASH)) {
            Result result =
                    box.run(
                            Program.bash(
                                            """
                                            cat deep/in/put.bin > copy.bin
                                            mkdir -p made/by; printf x > made/by/program
                                            ln -s copy.bin link; mkdir folder; mkfifo fifo
                                            """)
                                    .input("deep/in/put.bin", content)
                                    .output("copy.bin")
                                    .output("made/by/program")
                                    .output("deep/in/put.bin")
                                    .output("missing")
                                    .output("missing/too")
                                    .output("copy.bin/too")
                                    .output("link")
                                    .output("link/too")
                                    .output("folder")
                                    .output("fifo"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.files())
                    .containsOnlyKeys("copy.bin", "made/by/program", "deep/in/put.bin");
            assertThat(result.files().get("copy.bin")).isEqualTo(content);
            assertThat(result.files().get("deep/in/put.bin")).isEqualTo(content);
            assertThat(result.files().get("made/by/program")).isEqualTo(utf8("x"));
            assertThat(result.refusedFiles())
                    .isEqualTo(
                            Map.of(
                                    "link", "it is a symbolic link, which is not followed",
                                    "link/too", "'link' is a symbolic link, which is not followed",
                                    "folder", "it is a directory",
                                    "fifo", "it is a FIFO, socket or device"));
        }
    }

    @Test
    void resultFilesComeBackFromAProgramThatFailedOrTimedOut() {
        try (Sandbox box = open(policy().wall(seconds(1)), Language.BASH)) {
            Program late = Program.bash("printf early > file; sleep 60").output("file");
            assertThat(box.run(late).files().get("file")).isEqualTo(utf8("early"));
            Program failing = Program.bash("printf failed > file; exit 3").output("file");
            assertThat(box.run(failing).files().get("file")).isEqualTo(utf8("failed"));
        }
    }

    // What was used

    @Test
    void usageIsAtLeastWhatTheProgramTook() {
        Bytes allocated = Bytes.mebibytes(64);
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import time
                                    memory = bytearray(%d)
                                    for page in range(0, len(memory), 4096):
                                        memory[page] = 1
                                    while time.process_time() < 0.3:
                                        pass
                                    time.sleep(0.3)
                                    print('x' * 99)
                                    """
                                            .formatted(allocated.count())));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.usage().cpu())
                    .isBetween(Duration.ofMillis(290), Duration.ofSeconds(10));
            assertThat(result.usage().wall())
                    .isBetween(Duration.ofMillis(600), Duration.ofMinutes(1));
            assertThat(result.usage().peakMemory())
                    .isBetween(
                            allocated, policy().limits().memory().plus(policy().limits().disk()));
            assertThat(result.usage().stdout()).isEqualTo(new Bytes(100));
            assertThat(result.usage().stderr()).isEqualTo(new Bytes(0));
        }
    }

    @Test
    void theProcessorTimeOfChildrenCounts() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os, time
                                    for child in range(2):
                                        if os.fork() == 0:
                                            while time.process_time() < 0.3:
                                                pass
                                            os._exit(0)
                                        os.wait()
                                    """));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.usage().cpu()).isGreaterThan(Duration.ofMillis(580));
        }
    }

    @Test
    void aCommandIsNotChargedForTheProcessorTimeOfTheOneBefore() {
        try (Sandbox box = open(Language.PYTHON)) {
            box.run(Program.python("import time\nwhile time.process_time() < 1.5: pass"));
            Result next = box.run(Program.python("pass"));
            assertThat(next.usage().cpu()).isLessThan(Duration.ofMillis(1400));
        }
    }

    static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
