package dev.glovebox.sandbox.wasm;

import static dev.glovebox.sandbox.Bytes.kibibytes;
import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is special about the wasm tier: when it is chosen, what it refuses, what it hides. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WasmTierTest {

    private static final Policy POLICY = Policy.denyAll();

    private static Result run(Policy policy, String source) {
        try (Sandbox box = Sandboxes.openTier("wasm", policy, Language.JAVASCRIPT)) {
            return box.run(Program.javascript(source));
        }
    }

    private static String say(String source) {
        Result result = run(POLICY, source);
        assertThat(result.outcome()).as(result.stderr().text()).isEqualTo(new Outcome.Exited(0));
        return result.stdout().text();
    }

    @Test
    void itIsAsStrongAsAJailAndChosenLast() {
        assertThat(Sandboxes.tiers().getLast().name()).isEqualTo("wasm");
        assertThat(Sandboxes.tiers().getLast().isolation()).isEqualTo(Isolation.JAIL);
        assertThatThrownBy(() -> run(POLICY.isolation(Isolation.CONTAINER), ""))
                .isInstanceOf(NotEnforceable.class);
    }

    @Test
    void whatItCannotEnforceIsRefusedBeforeAnythingRuns(@TempDir Path folder) {
        refused(POLICY.allow("example.com", 443), "network");
        refused(POLICY.grant(new FileGrant(folder, "/data", FileGrant.Mode.READ)), "files");
        refused(POLICY.cpus(0.5), "cpus");
        refused(POLICY.runtime(Language.JAVASCRIPT, Path.of("/usr/bin/env")), "runtime");
    }

    private static void refused(Policy policy, String control) {
        assertThatThrownBy(() -> run(policy, "console.log('ran')"))
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo(control));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PYTHON", "BASH"})
    void otherLanguagesAreRefused(Language language) {
        try (Sandbox box = WasmWall.TIER.open(POLICY)) {
            assertThatThrownBy(() -> box.run(Program.script(language, new byte[0])))
                    .isInstanceOf(NotEnforceable.class);
        }
    }

    @Test
    void theReceiptTellsWhatWasInForce() {
        Policy policy =
                POLICY.wall(Duration.ofSeconds(7))
                        .cpuTime(Duration.ofMillis(5500))
                        .cpus(2)
                        .memory(mebibytes(96))
                        .disk(mebibytes(12))
                        .openFiles(77)
                        .output(kibibytes(128))
                        .memoryEnforcement(Policy.MemoryEnforcement.TREE);
        Receipt receipt = run(policy, "").receipt();
        assertThat(receipt.tierVersion()).matches("Endive \\d.*, quickjs4j \\d.*");
        assertThat(receipt.hostUid()).isEmpty();
        assertThat(receipt.interpreter()).contains(Receipts.JAVASCRIPT);
        assertThat(value(receipt, "engine")).matches("sha256:[0-9a-f]{64}");
        assertThat(value(receipt, "memory")).isEqualTo("96MiB");
        assertThat(value(receipt, "disk")).isEqualTo("12MiB");
        assertThat(value(receipt, "inodes")).isEqualTo("3072");
        assertThat(value(receipt, "open-files")).isEqualTo("77");
        assertThat(value(receipt, "cpus")).isEqualTo("2");
        assertThat(value(receipt, "cpu-time")).isEqualTo("5500ms");
        assertThat(value(receipt, "wall")).isEqualTo("7s");
        assertThat(value(receipt, "output")).isEqualTo("128KiB");
        for (String none : List.of("process", "processes", "network")) {
            assertThat(value(receipt, none)).isEqualTo("none");
        }
    }

    private static String value(Receipt receipt, String control) {
        return receipt.control(control).orElseThrow().value();
    }

    @Test
    void aMemoryBombIsALimitHitAndNotAnErrorThatAProgramCouldCatch() {
        Policy policy = POLICY.memory(mebibytes(32));
        for (String bomb :
                List.of(
                        "new Uint8Array(1 << 20)",
                        "'x'.repeat(1 << 20) + all.length",
                        "new Array(1 << 16).fill(0)")) {
            Result result =
                    run(policy, "const all = []; for (;;) try { all.push(" + bomb + ") } catch {}");
            assertThat(result.outcome())
                    .as(bomb)
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> {
                                assertThat(hit.limit()).isEqualTo(Limit.MEMORY);
                                assertThat(hit.value()).isEqualTo(mebibytes(32).count());
                                assertThat(hit.peak()).isGreaterThan(hit.value());
                            });
        }
    }

    @Test
    void commandsOfABoxShareItsMemory() throws Exception {
        try (Sandbox box = WasmWall.TIER.open(POLICY.memory(mebibytes(64)))) {
            Program half =
                    Program.javascript(
                            "const a = new Uint8Array(40 << 20); console.log('has'); setTimeout(() => {}, 600000)");
            Execution first = box.start(half, chunk -> {});
            Execution second = box.start(half, chunk -> {});
            List<Outcome> outcomes = List.of(first.await().outcome(), second.await().outcome());
            assertThat(outcomes)
                    .hasAtLeastOneElementOfType(Outcome.LimitHit.class)
                    .hasAtLeastOneElementOfType(Outcome.Cancelled.class);
        }
    }

    @Test
    void noMoreCommandsComputeAtOnceThanThereAreProcessors() throws Exception {
        String busy =
                "const t = Date.now(); while (process.cpuUsage().user < 300000); console.log(t, Date.now())";
        try (Sandbox box = WasmWall.TIER.open(POLICY.cpus(1))) {
            Execution first = box.start(Program.javascript(busy), chunk -> {});
            Execution second = box.start(Program.javascript(busy), chunk -> {});
            String[] one = first.await().stdout().text().strip().split(" ");
            String[] other = second.await().stdout().text().strip().split(" ");
            boolean apart =
                    Long.parseLong(one[1]) <= Long.parseLong(other[0])
                            || Long.parseLong(other[1]) <= Long.parseLong(one[0]);
            assertThat(apart).as(String.join(" ", one) + " " + String.join(" ", other)).isTrue();
        }
    }

    // What is around a program

    @Test
    void randomnessIsFreshInEachProgram() {
        String source =
                "console.log(Math.random(), [1, 2, 3].map(() => Math.random()).every((x) => x >= 0 && x < 1))";
        String first = say(source);
        assertThat(first).endsWith(" true\n");
        assertThat(say(source)).isNotEqualTo(first);
    }

    @Test
    void clocksTellMillisecondsAndNothingFiner() {
        long before = Instant.now().toEpochMilli();
        String[] told =
                say("const a = performance.now(); console.log(Date.now(), a, Number.isInteger(a),"
                                + " process.hrtime.bigint() % 1000000n)")
                        .strip()
                        .split(" ");
        assertThat(Long.parseLong(told[0])).isBetween(before, Instant.now().toEpochMilli());
        assertThat(told[2]).isEqualTo("true");
        assertThat(told[3]).isEqualTo("0n");
    }

    @Test
    void thereIsNoWayToJava() {
        assertThat(
                        say(
                                """
                                const found = ['java', 'Java', 'Packages', 'JavaImporter', 'java_invoke', 'Javy', 'plugin', 'std', 'os', 'bjson',
                                  'WebAssembly', 'fetch', 'XMLHttpRequest', 'WebSocket', 'Worker', 'Deno', 'Bun'].filter((name) => name in globalThis);
                                const outer = (function () { return this.constructor.constructor('return this')() })();
                                console.log(found.length, outer === globalThis, typeof outer.java_invoke);
                                """))
                .isEqualTo("0 true undefined\n");
    }

    @Test
    void modulesThatWouldReachFurtherDoNotExist() {
        assertThat(
                        say(
                                """
                                const tried = ['http', 'net', 'child_process', 'os', 'vm', 'worker_threads', 'node:http', 'fs/promises', '../x', '/etc/passwd'];
                                console.log(tried.filter((name) => { try { require(name); return true } catch (e) { return e.code !== 'MODULE_NOT_FOUND' } }).length);
                                """))
                .isEqualTo("0\n");
    }

    /** The glue is a program's own: spoiling it must never look like success. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Array.prototype.join = () => 'exit'; String.prototype.slice = () => 'x'; throw new Error('told')",
                "Object.defineProperty(Object.prototype, 'then', { get() { throw 1 } }); throw new Error('told')",
                "Error.prototype.toString = null; Array.prototype.filter = null; String.prototype.replaceAll = null; throw new Error('told')",
                "TextEncoder.prototype.encode = () => new Uint8Array(0); Function.prototype.call = null; throw new Error('told')",
                "Promise.prototype.then = null; Symbol.for = null; globalThis.eval = null; throw new Error('told')",
                "const step = globalThis[Symbol.for('glovebox.step')]; step(); step(); throw new Error('told')",
                "Math.min = () => NaN; Array.prototype.map = () => []; setTimeout(() => { throw new Error('told') }, 5)",
                "process.exit = null; console.log = null; process = null; throw new Error('told')"
            })
    void aSpoiltGlueNeverLooksLikeSuccess(String spoiling) {
        Result result = run(POLICY.wall(Duration.ofSeconds(5)), spoiling);
        assertThat(result.outcome().success()).as(result.outcome().toString()).isFalse();
    }

    @Test
    void theGluesDoorCannotBeReplaced() {
        Result result =
                run(
                        POLICY,
                        """
                        const door = Symbol.for('glovebox.step');
                        try { globalThis[door] = () => {}; } catch {}
                        try { delete globalThis[door]; } catch {}
                        setTimeout(() => { process.exitCode = 5 }, 1);
                        """);
        assertThat(result.outcome()).isEqualTo(new Outcome.Exited(5));
    }

    @Test
    void anInterruptedCallerDoesNotSpoilTheEngine() {
        Thread.currentThread().interrupt();
        Result result = run(POLICY, "for (;;);");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(result.outcome()).isInstanceOf(Outcome.Cancelled.class);
        assertThat(say("console.log('fine')")).isEqualTo("fine\n");
    }
}
