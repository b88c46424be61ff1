package dev.glovebox.sandbox.wasm;

import static dev.glovebox.sandbox.Bytes.mebibytes;
import static dev.glovebox.sandbox.wasm.ModuleBytes.BR;
import static dev.glovebox.sandbox.wasm.ModuleBytes.CALL;
import static dev.glovebox.sandbox.wasm.ModuleBytes.DROP;
import static dev.glovebox.sandbox.wasm.ModuleBytes.EMPTY;
import static dev.glovebox.sandbox.wasm.ModuleBytes.END;
import static dev.glovebox.sandbox.wasm.ModuleBytes.GROW;
import static dev.glovebox.sandbox.wasm.ModuleBytes.LOOP;
import static dev.glovebox.sandbox.wasm.ModuleBytes.UNREACHABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** WASI modules as commands, good ones and hostile ones. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class WasiModuleTest {

    // Where a module keeps a pointer and a length for a read or write, and what was done.
    private static final int VECTOR = 8;
    private static final int DONE = 16;
    private static final int TEXT = 64;

    private static final Policy POLICY = Policy.denyAll().wall(Duration.ofSeconds(20));

    private static byte[] vector(int at, int length) {
        return new byte[] {
            (byte) at,
            (byte) (at >> 8),
            (byte) (at >> 16),
            0,
            (byte) length,
            (byte) (length >> 8),
            0,
            0
        };
    }

    private static Result run(ModuleBytes module) {
        return run(POLICY, module);
    }

    private static Result run(Policy policy, ModuleBytes module) {
        return run(policy, module.bytes());
    }

    private static Result run(Policy policy, byte[] module) {
        try (Sandbox box = WasmWall.TIER.open(policy)) {
            return box.run(
                    Program.command("tool.wasm", "one", "two")
                            .input("tool.wasm", module)
                            .stdin("input")
                            .output("made"));
        }
    }

    private static String told(Result result) {
        return result.outcome() + " " + result.stdout().text() + " " + result.stderr().text();
    }

    private static ModuleBytes hello() {
        return new ModuleBytes()
                .imports("fd_write", "iiii")
                .data(VECTOR, vector(TEXT, 6))
                .data(TEXT, "hello\n")
                .call(0, 1, VECTOR, 1, DONE);
    }

    @Test
    void aModuleThatJustReturnsHasExitedWithZero() {
        Result result = run(hello());
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().text()).isEqualTo("hello\n");
        assertThat(result.receipt().interpreter()).isEmpty();
        assertThat(result.receipt().control("engine").orElseThrow().value())
                .matches("sha256:[0-9a-f]{64}");
    }

    @Test
    void anExitCodeIsTold() {
        Result result =
                run(
                        new ModuleBytes()
                                .imports(Wasi.MODULE, "proc_exit", "i", false)
                                .i32(7)
                                .op(CALL, 0));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(7));
    }

    @Test
    void standardInputCanBeRead() {
        Result result =
                run(
                        new ModuleBytes()
                                .imports("fd_read", "iiii")
                                .imports("fd_write", "iiii")
                                .data(VECTOR, vector(TEXT, 5))
                                .call(0, 0, VECTOR, 1, DONE)
                                .call(1, 1, VECTOR, 1, DONE));
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("input");
    }

    @Test
    void aFileCanBeMadeInTheBox() {
        Result result =
                run(
                        new ModuleBytes()
                                .imports("path_open", "iiiiiIIii")
                                .imports("fd_write", "iiii")
                                .data(VECTOR, vector(TEXT, 4))
                                .data(TEXT, "made")
                                .i32(3)
                                .i32(0)
                                .i32(TEXT)
                                .i32(4)
                                .i32(1)
                                .i64(1 << 6)
                                .i64(0)
                                .i32(0)
                                .i32(DONE)
                                .op(CALL, 0, DROP)
                                .call(1, 4, VECTOR, 1, DONE));
        assertThat(result.files().get("made"))
                .as(told(result))
                .isEqualTo("made".getBytes(StandardCharsets.UTF_8));
    }

    /** Ends with the error that opening a path gave. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/etc/passwd",
                "../etc/passwd",
                "..",
                "a/../../b",
                "/",
                "tool.wasm/..",
                "/proc/self/environ"
            })
    void noPathLeadsOutOfTheBox(String path) {
        Result result =
                run(
                        new ModuleBytes()
                                .imports("path_open", "iiiiiIIii")
                                .imports(Wasi.MODULE, "proc_exit", "i", false)
                                .data(TEXT, path)
                                .i32(3)
                                .i32(1)
                                .i32(TEXT)
                                .i32(path.length())
                                .i32(0)
                                .i64(1 << 1)
                                .i64(0)
                                .i32(0)
                                .i32(DONE)
                                .op(CALL, 0)
                                .op(CALL, 1));
        assertThat(result.outcome())
                .as(told(result))
                .isIn(
                        new Outcome.Exited(Errno.ENOTCAPABLE.number()),
                        new Outcome.Exited(Errno.ENOENT.number()),
                        new Outcome.Exited(Errno.ENOTDIR.number()));
    }

    @Test
    void anEndlessLoopIsEnded() {
        Duration wall = Duration.ofSeconds(1);
        Result result = run(POLICY.wall(wall), new ModuleBytes().op(LOOP, EMPTY, BR, 0, END));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.TimedOut(wall));
    }

    @Test
    void aLoopThatWaitsInTheHostIsEnded() {
        Duration wall = Duration.ofSeconds(1);
        Result result =
                run(
                        POLICY.wall(wall),
                        new ModuleBytes()
                                .imports("sched_yield", "")
                                .op(LOOP, EMPTY)
                                .call(0)
                                .op(BR, 0, END));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.TimedOut(wall));
    }

    @Test
    void aTrapIsToldAsAnAbort() {
        Result result = run(new ModuleBytes().op(UNREACHABLE));
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(134));
        assertThat(result.stderr().text()).startsWith("wasm trap: ");
    }

    @Test
    void memoryIsBounded() {
        Policy policy = POLICY.memory(mebibytes(8));
        Result result =
                run(policy, new ModuleBytes().op(LOOP, EMPTY).i32(1).op(GROW, 0, DROP, BR, 0, END));
        assertThat(result.outcome())
                .as(told(result))
                .isInstanceOfSatisfying(
                        Outcome.LimitHit.class,
                        hit -> {
                            assertThat(hit.limit()).isEqualTo(Limit.MEMORY);
                            assertThat(hit.value()).isEqualTo(mebibytes(8).count());
                            assertThat(hit.peak()).isGreaterThan(hit.value());
                        });
        assertThat(result.usage().peakMemory()).isEqualTo(mebibytes(8));
        assertThat(run(policy, hello().pages(200)).outcome()).isInstanceOf(Outcome.LimitHit.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100, 2000, 50_000})
    void endlessRecursionIsATrap(int locals) {
        Result result = run(new ModuleBytes().locals(locals).callSelf());
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(134));
    }

    @Test
    void recursionThatPilesUpOperandsIsATrap() {
        ModuleBytes module = new ModuleBytes();
        for (int i = 0; i < 20_000; i++) {
            module.i32(i);
        }
        module.callSelf();
        for (int i = 0; i < 20_000; i++) {
            module.op(DROP);
        }
        Result result = run(module);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(134));
    }

    private static void refused(ModuleBytes module, String why) {
        refused(module.bytes(), why);
    }

    private static void refused(byte[] module, String why) {
        Result result = run(POLICY, module);
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.NotStarted.class,
                        not -> assertThat(not.reason()).contains("tool.wasm").contains(why));
        assertThat(result.stdout().total()).isZero();
    }

    @Test
    void whatCouldTakeOurHeapIsNotStarted() {
        refused(hello().table(5_000_000), "table");
        refused(hello().type(0x5f, 1, 0x7f, 0), "garbage collector");
        refused(hello().type(0x5e, 0x7f, 0), "garbage collector");
    }

    @Test
    void whatIsNoCommandIsNotStarted() {
        refused(hello().start("main"), "_start");
        refused(hello().imports("env", "system", "i", true), "WASI");
        refused(hello().imports(Wasi.MODULE, "fd_read", "i", true), "WASI");
        refused(new byte[0], "no valid");
        refused("#!/bin/sh\n".getBytes(StandardCharsets.UTF_8), "no valid");
    }

    @Test
    void whatItNeedsMoreIsToldInFewWordsHoweverLongItsName() {
        Result result = run(hello().imports("env", "x".repeat(1 << 20), "i", true));
        assertThat(result.outcome())
                .isInstanceOfSatisfying(
                        Outcome.NotStarted.class,
                        outcome ->
                                assertThat(outcome.reason())
                                        .contains("WASI")
                                        .hasSizeLessThan(1_000));
    }

    @Test
    void noOtherCommandsExist() {
        try (Sandbox box = WasmWall.TIER.open(POLICY)) {
            box.files().write("notes.txt", new byte[0]);
            for (String name :
                    new String[] {"echo", "/bin/sh", "", "notes.txt", "none.wasm", "../x.wasm"}) {
                assertThat(box.run(Program.command(name)).outcome())
                        .as(name)
                        .isInstanceOf(Outcome.NotStarted.class);
            }
        }
    }

    /** Broken bits anywhere: never more than an outcome. */
    @Test
    void aDamagedModuleHarmsNobody() {
        byte[] sound = hello().table(10).locals(3).bytes();
        Random random = new Random(1);
        Policy policy = POLICY.wall(Duration.ofSeconds(1)).memory(mebibytes(64));
        for (int i = 0; i < 1500; i++) {
            byte[] damaged = sound.clone();
            for (int n = 0; n <= i % 3; n++) {
                damaged[8 + random.nextInt(damaged.length - 8)] = (byte) random.nextInt();
            }
            Result result = run(policy, damaged);
            assertThat(result.outcome()).as("change " + i).isNotInstanceOf(Outcome.Unknown.class);
        }
    }
}
