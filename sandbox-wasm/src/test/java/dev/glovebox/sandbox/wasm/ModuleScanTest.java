package dev.glovebox.sandbox.wasm;

import static dev.glovebox.sandbox.wasm.ModuleBytes.BR;
import static dev.glovebox.sandbox.wasm.ModuleBytes.DROP;
import static dev.glovebox.sandbox.wasm.ModuleBytes.EMPTY;
import static dev.glovebox.sandbox.wasm.ModuleBytes.END;
import static dev.glovebox.sandbox.wasm.ModuleBytes.LOOP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import run.endive.wasm.WasmModule;

/** Modules that are made to harm whoever loads them, before a single instruction has run. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ModuleScanTest {

    private static final int BLOCK = 0x02;
    private static final int BR_TABLE = 0x0e;
    private static final int NOP = 0x01;
    private static final int[] HUGE = {0xff, 0xff, 0xff, 0xff, 0x07};

    private static long heap(ModuleBytes module) {
        return ModuleScan.weigh("x.wasm", module.bytes()).heap();
    }

    private static void refused(ModuleBytes module, String why) {
        refused(module.bytes(), why);
    }

    private static void refused(byte[] module, String why) {
        assertThatThrownBy(() -> ModuleScan.weigh("x.wasm", module))
                .isInstanceOf(Unwinding.NoProgram.class)
                .hasMessageContaining("x.wasm")
                .hasMessageContaining(why);
    }

    private static ModuleBytes raw(int section, int... content) {
        return new ModuleBytes().raw(section, content);
    }

    private static int[] with(int[] start, int... end) {
        int[] all = Arrays.copyOf(start, start.length + end.length);
        System.arraycopy(end, 0, all, start.length, end.length);
        return all;
    }

    @Test
    void aLengthIsNotBelieved() {
        for (int section = 1; section <= 11; section++) {
            if (section != 8) {
                refused(raw(section, HUGE), "no valid");
            }
        }
        refused(raw(1, with(new int[] {1, 0x60}, HUGE)), "no valid");
        refused(raw(2, with(new int[] {1}, HUGE)), "no valid");
        refused(raw(9, with(new int[] {1, 0, 0x41, 0, END}, HUGE)), "no valid");
        refused(raw(11, with(new int[] {1, 0, 0x41, 0, END}, HUGE)), "no valid");
        refused(raw(11, with(new int[] {1, 1}, HUGE)), "no valid");
        refused(new ModuleBytes().op(BR_TABLE).op(HUGE), "no valid");
        refused(new ModuleBytes().op(0x1c).op(HUGE), "no valid");
    }

    @Test
    void whatHasNoBoundIsNotRun() {
        refused(new ModuleBytes().op(0x12, 0), "tail calls");
        refused(new ModuleBytes().op(0x13, 0, 0), "tail calls");
        refused(new ModuleBytes().op(0xfd, 0x0c), "vectors");
        refused(new ModuleBytes().op(0x1f, EMPTY, 0, END), "exceptions");
        refused(new ModuleBytes().op(0xfb, 0x1c), "garbage collector");
        // What would be a vector to a parser that adds up prefix and part.
        refused(new ModuleBytes().op(0xfc, 0x8c, 0x02), "vectors");
        refused(new ModuleBytes().type(0x60, 1, 0x63, 0, 0), "typed references");
        refused(new ModuleBytes().type(0x5f, 0), "garbage collector");
        refused(new ModuleBytes().op(BLOCK, 0x64, 0, END), "typed references");
    }

    /** Six bytes a function, fifty thousand locals each: the parser makes objects of all. */
    @Test
    void localsAreCounted() {
        assertThat(heap(new ModuleBytes().locals(50_000))).isGreaterThan(50_000 * 16);
        refused(new ModuleBytes().locals(50_001), "locals");
        refused(new ModuleBytes().locals(Integer.MAX_VALUE), "locals");
    }

    /** The parser asks each loop for all its elder siblings. */
    @Test
    void loopsBesideEachOtherAreCounted() {
        assertThat(heap(loops(10_000))).isPositive();
        refused(loops(20_000), "too long");
    }

    private static ModuleBytes loops(int count) {
        ModuleBytes module = new ModuleBytes();
        for (int i = 0; i < count; i++) {
            module.op(LOOP, EMPTY, END);
        }
        return module;
    }

    /** The parser walks up block by block for each label. */
    @Test
    void labelsFarAwayAreCounted() {
        assertThat(heap(labels(1_000))).isPositive();
        refused(labels(20_000), "too long");
        refused(nested(50_001), "in each other");
    }

    private static ModuleBytes labels(int count) {
        ModuleBytes module = new ModuleBytes();
        for (int i = 0; i < count; i++) {
            module.op(BLOCK, EMPTY);
        }
        for (int i = 0; i < count; i++) {
            module.op(BR).index(count - 1);
        }
        for (int i = 0; i < count; i++) {
            module.op(END);
        }
        return module;
    }

    private static ModuleBytes nested(int count) {
        ModuleBytes module = new ModuleBytes();
        for (int i = 0; i < count; i++) {
            module.op(BLOCK, EMPTY);
        }
        return module;
    }

    /** Two bytes of code, and the validator has a thousand operands to look at. */
    @Test
    void valuesAreCounted() {
        int[] type = new int[2 + 2 + 1000];
        Arrays.fill(type, 0x7f);
        type[0] = 0x60;
        type[1] = 0;
        type[2] = 0xe8;
        type[3] = 0x07;
        ModuleBytes module = new ModuleBytes().type(type).op(0x00);
        long before = heap(module);
        for (int i = 0; i < 100; i++) {
            module.op(0x11, 1, 0);
        }
        assertThat(heap(module) - before).isGreaterThan(100 * 1000 * 500);
        for (int i = 0; i < 200_000; i++) {
            module.op(0x11, 1, 0);
        }
        refused(module, "too long");
    }

    @Test
    void manySmallThingsAreCounted() {
        ModuleBytes module = new ModuleBytes();
        for (int i = 0; i < 10_000; i++) {
            module.data(0, new byte[0]);
        }
        assertThat(heap(module)).isGreaterThan(10_000 * 500);
    }

    /** Whatever both take for a module has as many instructions for the one as for the other. */
    @Test
    void itReadsWhatTheParserReads() {
        ModuleBytes sample =
                new ModuleBytes()
                        .imports("fd_write", "iiii")
                        .table(10)
                        .locals(3)
                        .data(0, "hello")
                        .i64(1L << 40)
                        .op(DROP, 0x43, 1, 2, 3, 4, DROP, 0x44, 1, 2, 3, 4, 5, 6, 7, 8, DROP)
                        .i32(0)
                        .op(0x28, 2, 4, DROP, 0x3f, 0, DROP, 0xd0, 0x70, 0xd1, DROP)
                        .i32(0)
                        .i32(0)
                        .i32(0)
                        .op(0xfc, 0x0b, 0)
                        .op(BLOCK, EMPTY, LOOP, EMPTY)
                        .i32(1)
                        .op(BR_TABLE, 1, 0, 1, END, END, NOP)
                        .call(0, 1, 1, 1, 1)
                        .op(BLOCK, 0x7f)
                        .i32(5)
                        .op(END, DROP);
        byte[] sound = sample.bytes();
        assertThat(instructions(sound)).isEqualTo(ModuleScan.weigh("x", sound).instructions());
        Random random = new Random(7);
        int both = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = sound.clone();
            for (int n = 0; n <= i % 2; n++) {
                damaged[8 + random.nextInt(damaged.length - 8)] = (byte) random.nextInt();
            }
            try {
                long seen = ModuleScan.weigh("x", damaged).instructions();
                assertThat(instructions(damaged)).as("change " + i).isEqualTo(seen);
                both++;
            } catch (Unwinding.NoProgram e) {
                assertThat(e.reason()).startsWith("'x' ");
            }
        }
        assertThat(both).isGreaterThan(1000);
    }

    private static long instructions(byte[] bytes) {
        WasmModule module = WasiModule.parse("x", bytes);
        long sum = 0;
        for (int i = 0; i < module.codeSection().functionBodyCount(); i++) {
            sum += module.codeSection().getFunctionBody(i).instructions().size();
        }
        return sum;
    }
}
