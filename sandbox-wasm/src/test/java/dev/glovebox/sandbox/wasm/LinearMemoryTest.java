package dev.glovebox.sandbox.wasm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import run.endive.runtime.WasmRuntimeException;
import run.endive.wasm.types.MemoryLimits;

/** A program's memory: every access is within it, and what it takes is accounted for. */
final class LinearMemoryTest {

    private static final int PAGE = Pages.SIZE;

    private final Pages budget = new Pages(Bytes.mebibytes(4));
    private final List<Integer> refused = new ArrayList<>();

    private LinearMemory memory(int initial, int maximum) {
        return LinearMemory.empty(new MemoryLimits(initial, maximum), budget, refused::add);
    }

    @Test
    void everyAccessIsWithinIt() {
        try (LinearMemory memory = memory(1, 10)) {
            byte[] buffer = new byte[8];
            for (int at :
                    new int[] {-1, -8, Integer.MIN_VALUE, PAGE, PAGE - 1, Integer.MAX_VALUE}) {
                List<ThrowingCallable> accesses =
                        new ArrayList<>(
                                List.of(
                                        () -> memory.readShort(at),
                                        () -> memory.readInt(at),
                                        () -> memory.readLong(at),
                                        () -> memory.readDouble(at),
                                        () -> memory.writeShort(at, (short) 1),
                                        () -> memory.writeI32(at, 1),
                                        () -> memory.writeLong(at, 1),
                                        () -> memory.writeF32(at, 1),
                                        () -> memory.readBytes(at, 8),
                                        () -> memory.read(at, buffer, 0, 8),
                                        () -> memory.write(at, buffer),
                                        () -> memory.copy(at, 0, 8),
                                        () -> memory.copy(0, at, 8),
                                        () -> memory.fill((byte) 1, at, at + 8),
                                        () -> memory.atomicAddInt(at, 1)));
                if (at != PAGE - 1) {
                    accesses.add(() -> memory.read(at));
                    accesses.add(() -> memory.writeByte(at, (byte) 1));
                }
                accesses.forEach(
                        one -> assertThatThrownBy(one).isInstanceOf(WasmRuntimeException.class));
            }
            assertThatThrownBy(() -> memory.readBytes(0, -1))
                    .isInstanceOf(WasmRuntimeException.class);
            assertThat(memory.readBytes(0, PAGE)).containsOnly(0);
        }
    }

    @Test
    void itGrowsAndKeepsWhatItHeld() {
        try (LinearMemory memory = memory(1, 64)) {
            memory.writeLong(PAGE - 8, 0x0102030405060708L);
            for (int pages = 1; pages < 64; pages++) {
                assertThat(memory.grow(1)).isEqualTo(pages);
                assertThat(memory.readLong(PAGE - 8)).isEqualTo(0x0102030405060708L);
                assertThat(memory.readLong((pages + 1) * PAGE - 8)).isZero();
                int beyond = (pages + 1) * PAGE;
                assertThatThrownBy(() -> memory.read(beyond))
                        .isInstanceOf(WasmRuntimeException.class);
            }
            assertThat(memory.read(PAGE - 8)).as("little endian").isEqualTo((byte) 8);
            assertThat(budget.used()).isEqualTo(64);
        }
        assertThat(budget.used()).isZero();
        assertThat(budget.peakBytes()).isEqualTo(64L * PAGE);
    }

    @Test
    void moreThanTheBudgetIsRefusedAndToldButTheModulesOwnMaximumIsNot() {
        try (LinearMemory own = memory(1, 4);
                LinearMemory greedy = memory(1, 65_536)) {
            assertThat(own.grow(4)).isEqualTo(-1);
            assertThat(refused).isEmpty();
            assertThat(greedy.grow(63)).isEqualTo(-1);
            assertThat(greedy.grow(-1)).isEqualTo(-1);
            assertThat(greedy.grow(Integer.MAX_VALUE)).isEqualTo(-1);
            assertThat(refused).hasSize(3).startsWith(63);
            assertThat(greedy.grow(62)).isEqualTo(1);
            assertThat(greedy.grow(0)).isEqualTo(63);
            assertThat(own.grow(1)).isEqualTo(-1);
        }
        assertThat(budget.used()).isZero();
    }

    @Test
    void onceClosedNothingCanBeReadFromIt() {
        LinearMemory memory = memory(1, 2);
        memory.close();
        memory.close();
        assertThatThrownBy(() -> memory.readInt(0)).isInstanceOf(IllegalStateException.class);
        assertThat(budget.used()).isZero();
    }

    /** Each engine starts as the first did, whatever was done to the others. */
    @Test
    void anEngineMadeAheadIsUsedOnce() {
        byte[] image = new byte[2 * PAGE];
        image[PAGE] = 42;
        EnginesAhead engines = new EnginesAhead(image);
        for (int i = 0; i < 20; i++) {
            try (LinearMemory memory =
                    LinearMemory.ofEngine(new MemoryLimits(1, 64), budget, refused::add, engines)) {
                assertThat(memory.readBytes(0, 2 * PAGE)).isEqualTo(image);
                memory.fill((byte) 7, 0, 2 * PAGE);
                assertThat(memory.grow(20)).isEqualTo(2);
                assertThat(memory.readBytes(2 * PAGE, 20 * PAGE)).isEqualTo(new byte[20 * PAGE]);
                memory.fill((byte) 7, 0, 22 * PAGE);
            }
        }
        assertThat(budget.used()).isZero();
    }
}
