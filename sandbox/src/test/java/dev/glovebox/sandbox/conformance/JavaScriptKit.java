package dev.glovebox.sandbox.conformance;

import static dev.glovebox.sandbox.Bytes.kibibytes;
import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract once more, in JavaScript: what a program is given, how its end is told, and each
 * limit. The programs use what every engine for them has: the language, {@code console}, {@code
 * process}, timers and a little of {@code fs}.
 *
 * <p>The other kits speak Python and shell. A tier without those has its contract tested here.
 */
public abstract class JavaScriptKit extends ConformanceKit {

    private static final Duration LONG = seconds(60);
    private static final String FS = "const fs = require('fs');\n";

    private Result run(String source) {
        return run(policy(), source);
    }

    private Result run(Policy policy, String source) {
        return run(policy, Program.javascript(source));
    }

    private Result run(Policy policy, Program program) {
        try (Sandbox box = open(policy, Language.JAVASCRIPT)) {
            return box.run(program);
        }
    }

    private static void says(Result result, String text) {
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().text()).as(told(result)).isEqualTo(text);
    }

    private static void hit(Result result, Limit limit, long value) {
        assertThat(result.outcome())
                .as(told(result))
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> {
                            assertThat(hit.limit()).isEqualTo(limit);
                            assertThat(hit.value()).isEqualTo(value);
                            assertThat(hit.peak()).isGreaterThanOrEqualTo(value);
                        });
    }

    private static void touched(Result result, Limit limit) {
        assertThat(result.pressure()).as(told(result)).extracting(Pressure::limit).contains(limit);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    // How a program ended

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 124, 137, 255})
    void anExitCodeIsTold(int code) {
        Result exits =
                run("console.log('last'); process.exit(%d); console.log('never')".formatted(code));
        assertThat(exits.outcome()).as(told(exits)).isEqualTo(new Outcome.Exited(code));
        assertThat(exits.stdout().text()).isEqualTo("last\n");
        Result ends = run("process.exitCode = %d; console.log('last')".formatted(code));
        assertThat(ends.outcome()).as(told(ends)).isEqualTo(new Outcome.Exited(code));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "throw new TypeError('no good')",
                "null.no.good",
                "this is no good",
                "async function main() { await null; throw new Error('no good') }\nmain()",
                "setTimeout(() => { throw new Error('no good') }, 1)",
                "require('no-good')"
            })
    void anErrorThatNobodyCatchesIsAnExitCodeOfOne(String source) {
        Result result =
                run("console.log('before');\n".repeat(source.startsWith("this") ? 0 : 1) + source);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(1));
        assertThat(result.stderr().text()).contains("Error");
    }

    @Test
    void aProgramIsOverWhenNothingIsLeftToDo() {
        // Between two lines an emulated processor takes milliseconds: what is set first and due
        // later must be later by much more.
        says(
                run(
                        """
                        const late = setTimeout(() => console.log('never'), 600000);
                        setTimeout(() => { console.log('4'); clearTimeout(late) }, 5);
                        setTimeout(() => console.log('5'), 20);
                        const cleared = setTimeout(() => console.log('never'), 1);
                        Promise.resolve().then(() => console.log('2')).then(() => console.log('3'));
                        let times = 0;
                        const every = setInterval(() => { if (++times === 3) clearInterval(every) }, 1);
                        clearTimeout(cleared);
                        console.log('1');
                        """),
                "1\n2\n3\n4\n5\n");
    }

    // What it is given

    @Test
    void argumentsArriveAsTheyAre() {
        List<String> given =
                List.of("", " ", "two words", "'", "\"", "\\n", "\n", "$HOME", "-x", "漢字 😀", "");
        Result result =
                run(
                        policy(),
                        Program.javascript("console.log(JSON.stringify(process.argv.slice(2)))")
                                .args(given.toArray(String[]::new)));
        says(
                result,
                "[\"\",\" \",\"two words\",\"'\",\"\\\"\",\"\\\\n\",\"\\n\",\"$HOME\",\"-x\",\"漢字 😀\",\"\"]\n");
    }

    @Test
    void theEnvironmentIsWhatPolicyAndProgramName() {
        Policy policy = policy().env("FROM_POLICY", "p").env("BOTH", "policy");
        Result result =
                run(
                        policy,
                        Program.javascript(
                                        "console.log(Object.keys(process.env).sort().join(), process.env.BOTH)")
                                .env("FROM_PROGRAM", "q")
                                .env("BOTH", "program"));
        assertThat(result.stdout().text().strip()).as(told(result)).endsWith(" program");
        List<String> names = List.of(result.stdout().text().split(" ")[0].split(","));
        assertThat(names).contains("FROM_POLICY", "FROM_PROGRAM", "HOME", "LANG", "PATH", "TMPDIR");
        assertThat(names)
                .isSubsetOf(
                        "BOTH",
                        "FROM_POLICY",
                        "FROM_PROGRAM",
                        "HOME",
                        "LANG",
                        "PATH",
                        "PWD",
                        "SHLVL",
                        "TMPDIR",
                        "_");
    }

    @Test
    void standardInputIsWhatTheProgramBrings() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        String copy = FS + "process.stdout.write(fs.readFileSync(0))";
        Result result = run(policy(), Program.javascript(copy).stdin(bytes));
        assertThat(result.stdout().bytes()).as(told(result)).isEqualTo(bytes);
        says(run(FS + "console.log(fs.readFileSync(0).length)"), "0\n");
    }

    @Test
    void megabytesComeThroughByteForByte() {
        byte[] bytes = new byte[3_000_001];
        new Random(7).nextBytes(bytes);
        Result result =
                run(
                        policy().wall(LONG).output(mebibytes(8)),
                        Program.javascript(
                                        FS
                                                + "fs.writeSync(1, 'x'); fs.writeFileSync('f', fs.readFileSync(0)); "
                                                + "process.stdout.write(fs.readFileSync('f'))")
                                .stdin(bytes)
                                .output("f"));
        assertThat(result.stdout().total()).as(told(result)).isEqualTo(bytes.length + 1);
        assertThat(result.files().get("f")).isEqualTo(bytes);
    }

    @Test
    void inputFilesAreThereAndResultFilesComeBack() {
        byte[] content = {0, (byte) 0xff, '\n', (byte) 0xc3};
        Result result =
                run(
                        policy(),
                        Program.javascript(
                                        FS
                                                + """
                                                fs.writeFileSync('copy', fs.readFileSync('deep/in'));
                                                fs.mkdirSync('made/by', { recursive: true });
                                                fs.writeFileSync('made/by/it', 'x');
                                                fs.appendFileSync('made/by/it', 'ä');
                                                fs.writeFileSync('gone', ''); fs.unlinkSync('gone');
                                                fs.renameSync('copy', 'moved');
                                                console.log(fs.readdirSync('.').sort().join(), fs.existsSync('gone'),
                                                  fs.statSync('moved').size, fs.statSync('made').isDirectory());
                                                """)
                                .input("deep/in", content)
                                .output("moved")
                                .output("made/by/it")
                                .output("made")
                                .output("missing"));
        says(result, "deep,made,main.js,moved false 4 true\n");
        assertThat(result.files()).containsOnlyKeys("moved", "made/by/it");
        assertThat(result.refusedFiles()).containsOnlyKeys("made");
        assertThat(result.files().get("moved")).isEqualTo(content);
        assertThat(result.files().get("made/by/it")).isEqualTo(utf8("xä"));
    }

    @Test
    void aProgramMayHaveSeveralFiles() {
        Program program =
                Program.javascript(
                                """
                                const { twice } = require('./lib/twice.js');
                                console.log(twice(require('./numbers.json').first), require('./lib/twice') === require('./lib/twice.js'));
                                try { require('./no-such-file') } catch (e) { console.log(e.code) }
                                """)
                        .input("lib/twice.js", utf8("exports.twice = (x) => x * require('./two');"))
                        .input("lib/two.js", utf8("module.exports = 2;"))
                        .input("numbers.json", utf8("{\"first\": 21}"));
        says(run(policy(), program), "42 true\nMODULE_NOT_FOUND\n");
    }

    @Test
    void errorsOfFilesHaveTheirCodes() {
        says(
                run(
                        FS
                                + """
                                const code = (action) => { try { action(); return 'done' } catch (e) { return e.code } };
                                fs.mkdirSync('d'); fs.writeFileSync('f', 'x');
                                console.log([
                                  code(() => fs.readFileSync('none')), code(() => fs.readFileSync('d')),
                                  code(() => fs.readFileSync('f/x')), code(() => fs.mkdirSync('d')),
                                  code(() => fs.writeFileSync('f', 'y', { flag: 'wx' })), code(() => fs.closeSync(99)),
                                  code(() => fs.readdirSync('f')), code(() => fs.writeFileSync('none/x', ''))].join());
                                """),
                "ENOENT,EISDIR,ENOTDIR,EEXIST,EEXIST,EBADF,ENOTDIR,ENOENT\n");
    }

    // Output

    @Test
    void outputIsKeptByteForByte() {
        Result result =
                run(
                        "process.stdout.write(new Uint8Array([0, 255, 10, 195])); process.stdout.write('ä€😀');"
                                + " process.stderr.write('no end of line')");
        assertThat(result.stdout().bytes())
                .as(told(result))
                .startsWith(0, 255, 10, 195)
                .endsWith(utf8("ä€😀"));
        assertThat(result.stderr().text()).isEqualTo("no end of line");
    }

    @Test
    void outputBeyondTheLimitIsCutAndCounted() {
        Result result =
                run(
                        policy().output(kibibytes(64)),
                        "process.stdout.write('first' + 'x'.repeat(1000000) + 'last')");
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().truncated()).isTrue();
        assertThat(result.stdout().total()).isEqualTo(1_000_009);
        assertThat(result.stdout().bytes()).hasSize(64 * 1024);
        assertThat(result.stdout().text()).startsWith("first").endsWith("last");
        touched(result, Limit.OUTPUT);
    }

    @Test
    void outputBeyondTheLimitKillsWhereThePolicySaysSo() {
        Result result =
                run(
                        policy().wall(LONG)
                                .output(kibibytes(64))
                                .outputOverflow(Policy.OutputOverflow.KILL),
                        FS + "for (;;) fs.writeSync(2, 'x'.repeat(4096))");
        hit(result, Limit.OUTPUT, 64 * 1024);
    }

    @Test
    void questionsAndAnswersGoToAndFro() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Sandbox box = open(policy().wall(LONG), Language.JAVASCRIPT)) {
            Execution execution =
                    box.start(
                            Program.javascript(
                                    FS
                                            + """
                                            const some = new Uint8Array(100);
                                            for (let n = fs.readSync(0, some); n > 0; n = fs.readSync(0, some)) {
                                              fs.writeSync(1, `<${new TextDecoder().decode(some.subarray(0, n))}>`);
                                            }
                                            """),
                            chunk -> heard.add(new String(chunk.bytes(), StandardCharsets.UTF_8)));
            for (String word : List.of("one", "two", "drei ä")) {
                execution.stdin().write(utf8(word));
                execution.stdin().flush();
                assertThat(heard.poll(1, TimeUnit.MINUTES)).isEqualTo("<" + word + ">");
            }
            execution.stdin().close();
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.Exited(0));
        }
    }

    @Test
    void aListenerThatBlocksDoesNotDefeatTheTimeLimit() throws Exception {
        Duration wall = javaScriptStart();
        CountDownLatch heard = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (Sandbox box = open(policy().wall(wall).cpuTime(LONG), Language.JAVASCRIPT)) {
            Execution execution =
                    box.start(
                            Program.javascript(FS + "for (;;) fs.writeSync(1, 'x'.repeat(4096))"),
                            chunk -> {
                                heard.countDown();
                                try {
                                    release.await();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.TimedOut(wall));
            assertThat(heard.getCount()).as("whether the listener blocks").isZero();
        } finally {
            release.countDown();
        }
    }

    @Test
    void aListenerThatThrowsEndsTheProgramAndNotTheBox() throws Exception {
        try (Sandbox box = open(Language.JAVASCRIPT)) {
            Execution execution =
                    box.start(
                            Program.javascript("console.log('x'); setTimeout(() => {}, 600000)"),
                            chunk -> {
                                Thread.currentThread().interrupt();
                                throw new IllegalStateException("the listener's own fault");
                            });
            assertThat(execution.await().outcome()).isInstanceOf(Outcome.Cancelled.class);
            says(box.run(Program.javascript("console.log('fine')")), "fine\n");
        }
    }

    // Lifetime

    @ParameterizedTest
    @ValueSource(
            strings = {
                "for (;;);",
                "setTimeout(() => {}, 600000)",
                "require('fs').readFileSync(0)"
            })
    void aProgramThatTakesTooLongIsTimedOutWithItsOutputSoFar(String endless) throws Exception {
        Duration wall = javaScriptStart();
        try (Sandbox box = open(policy().wall(wall).cpuTime(LONG), Language.JAVASCRIPT)) {
            Execution execution =
                    box.start(
                            Program.javascript("console.log('so far');\n" + endless), chunk -> {});
            Result result = execution.await();
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.TimedOut(wall));
            assertThat(result.stdout().text()).isEqualTo("so far\n");
            assertThat(result.usage().wall()).isGreaterThanOrEqualTo(wall);
        }
    }

    @Test
    void aKillEndsEverythingInTheBoxAndTheBoxIsUsableAgain() throws Exception {
        try (Sandbox box = open(Language.JAVASCRIPT)) {
            box.files().write("kept", utf8("kept"));
            List<Execution> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                both.add(
                        box.start(Program.javascript("setTimeout(() => {}, 600000)"), chunk -> {}));
            }
            both.getFirst().cancel("enough");
            assertThat(both.getFirst().await().outcome())
                    .isEqualTo(new Outcome.Cancelled("enough"));
            assertThat(both.getLast().await().outcome()).isInstanceOf(Outcome.Cancelled.class);
            both.getFirst().cancel("again");
            says(
                    box.run(
                            Program.javascript(
                                    FS + "console.log(fs.readFileSync('kept', 'utf8'))")),
                    "kept\n");
        }
    }

    @Test
    void commandsShareTheirBoxAndANewOneIsFresh() {
        try (Sandbox box = open(Language.JAVASCRIPT);
                Sandbox other = open(Language.JAVASCRIPT)) {
            says(
                    box.run(
                            Program.javascript(
                                    FS + "globalThis.x = 1; fs.writeFileSync('f', 'x')")),
                    "");
            Program look = Program.javascript(FS + "console.log(fs.existsSync('f'), typeof x)");
            says(box.run(look), "true undefined\n");
            says(other.run(look), "false undefined\n");
        }
    }

    @Test
    void closingABoxCancelsWhatRunsInIt() throws Exception {
        Sandbox box = open(Language.JAVASCRIPT);
        Execution busy = box.start(Program.javascript("for (;;);"), chunk -> {});
        Execution idle = box.start(Program.javascript("setTimeout(() => {}, 600000)"), chunk -> {});
        box.close();
        assertThat(busy.await().outcome()).isInstanceOf(Outcome.Cancelled.class);
        assertThat(idle.await().outcome()).isInstanceOf(Outcome.Cancelled.class);
    }

    // Limits

    @Test
    void aProgramThatComputesTooLongIsStoppedByItsProcessorTime() {
        Duration cpuTime = javaScriptStart();
        Result result = run(policy().wall(LONG).cpuTime(cpuTime), "console.log('busy'); for (;;);");
        hit(result, Limit.CPU_TIME, cpuTime.toMillis());
        assertThat(result.stdout().text()).isEqualTo("busy\n");
    }

    @Test
    void usageIsAtLeastWhatTheProgramTook() {
        Bytes allocated = mebibytes(64);
        Result result =
                run(
                        policy().wall(LONG),
                        """
                        const memory = new Uint8Array(%d).fill(1);
                        const used = () => { const u = process.cpuUsage(); return u.user + u.system };
                        while (used() < 300000);
                        setTimeout(() => console.log('x'.repeat(99)), 300);
                        """
                                .formatted(allocated.count()));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.usage().cpu())
                .isBetween(Duration.ofMillis(290), policy().limits().cpuTime());
        assertThat(result.usage().wall()).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        assertThat(result.usage().peakMemory())
                .isBetween(allocated, policy().limits().memory().plus(policy().limits().disk()));
        assertThat(result.usage().stdout()).isEqualTo(new Bytes(100));
    }

    @ParameterizedTest
    @ValueSource(ints = {128, 256})
    void memoryIsBounded(int mebibytes) {
        if (mebibytes < 256) {
            promised(Promise.LITTLE_MEMORY);
        }
        Policy policy = policy().wall(LONG).memory(mebibytes(mebibytes)).disk(mebibytes(8));
        says(run(policy, "new Uint8Array(%d << 20).fill(1)".formatted(mebibytes / 4)), "");
        Result beyond =
                run(policy, "const all = []; for (;;) all.push(new Uint8Array(1 << 20).fill(1))");
        hitMemory(beyond, mebibytes(mebibytes));
    }

    /** Where a single process is refused more, its engine may give up by itself. */
    private void hitMemory(Result result, Bytes limit) {
        if (notPromised().containsKey(Promise.TREE_MEMORY)
                && !(result.outcome() instanceof Outcome.LimitHit)) {
            assertThat(result.outcome().success()).as(told(result)).isFalse();
            return;
        }
        assertThat(result.outcome())
                .as(told(result))
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> {
                            assertThat(hit.limit()).isEqualTo(Limit.MEMORY);
                            assertThat(hit.value()).isEqualTo(limit.count());
                        });
    }

    @Test
    void theScratchHoldsNoMoreThanAllowed() {
        promised(Promise.HARD_DISK);
        Result result =
                run(
                        policy().wall(LONG).disk(mebibytes(4)),
                        FS
                                + """
                                let total = 0;
                                const some = new Uint8Array(65536).fill(120);
                                try {
                                  for (let n = 0; n < 100; n++) { fs.appendFileSync(`f${n >> 3}`, some); total += some.length }
                                } catch (e) { console.log(e.code, total) }
                                setTimeout(() => {}, 500);
                                """);
        String[] words = result.stdout().text().strip().split(" ");
        assertThat(words[0]).as(told(result)).isEqualTo("ENOSPC");
        assertThat(Long.parseLong(words[1])).isBetween(mebibytes(3).count(), mebibytes(4).count());
        touched(result, Limit.DISK);
    }

    @Test
    void tooManyFilesAreALimitHit() {
        promised(Promise.HARD_DISK);
        Result result =
                run(
                        policy().wall(LONG).disk(mebibytes(4)).memory(mebibytes(512)),
                        FS
                                + "for (let n = 0; n < 5000; n++) fs.writeFileSync(`${n}`, '');\n"
                                + "setTimeout(() => {}, 600000)");
        hit(result, Limit.INODES, 1024);
    }

    @Test
    void noMoreFilesThanAllowedCanBeOpen() {
        Result result =
                run(
                        policy().openFiles(64),
                        FS
                                + """
                                const open = [];
                                try { for (;;) open.push(fs.openSync('main.js')) } catch (e) { console.log(e.code, Math.max(...open)) }
                                setTimeout(() => {}, 500);
                                """);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("EMFILE 63\n");
        touched(result, Limit.OPEN_FILES);
    }
}
