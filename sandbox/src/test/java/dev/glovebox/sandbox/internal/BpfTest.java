package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BpfTest {

    private static final int NUMBER = 0;
    private static final int FOUND = 1;
    private static final int NOT_FOUND = 2;

    @Test
    void encodesInstructionsAsTheKernelReadsThem() {
        Bpf bpf = new Bpf();
        int no = bpf.verdict(0x7FFF_0000);
        int yes = bpf.verdict(0x8000_0000);
        bpf.load(4, bpf.ifEqual(0xC000_003E, yes, no));

        assertThat(bpf.program())
                .containsExactly(
                        0x20, 0, 0, 0, 4, 0, 0, 0, // load arch
                        0x15, 0, 0, 1, 0x3E, 0, 0, 0xC0, // equal: next, else skip one
                        0x06, 0, 0, 0, 0, 0, 0, 0x80, // kill
                        0x06, 0, 0, 0, 0, 0, 0xFF, 0x7F); // allow
    }

    @Test
    void comparesUnsigned() {
        Bpf bpf = new Bpf();
        int no = bpf.verdict(NOT_FOUND);
        int yes = bpf.verdict(FOUND);
        bpf.load(NUMBER, bpf.ifAtLeast(0x4000_0000, yes, no));
        BpfMachine machine = new BpfMachine(bpf.program());

        assertThat(machine.run(0, -1)).isEqualTo(FOUND);
        assertThat(machine.run(0, 0x3FFF_FFFF)).isEqualTo(NOT_FOUND);
    }

    @Test
    void findsEachOfManyValuesInAChain() {
        int values = 1500;
        Bpf bpf = new Bpf();
        int found = bpf.verdict(FOUND);
        int label = bpf.verdict(NOT_FOUND);
        for (int value = 0; value < values; value++) {
            label = bpf.ifEqual(value, found, label);
        }
        bpf.load(NUMBER, label);
        BpfMachine machine = new BpfMachine(bpf.program());

        for (int number = 0; number < 2 * values; number++) {
            assertThat(machine.run(0, number))
                    .as("number %s", number)
                    .isEqualTo(number < values ? FOUND : NOT_FOUND);
        }
    }

    @Test
    void takesBothBranchesAtAnyDistance() {
        for (int distance = 0; distance < 600; distance++) {
            Bpf bpf = new Bpf();
            int no = bpf.verdict(NOT_FOUND);
            int yes = bpf.verdict(FOUND);
            for (int filler = 0; filler < distance; filler++) {
                bpf.verdict(filler);
            }
            bpf.load(NUMBER, bpf.mask(0xF, bpf.ifAnySet(0x8, yes, no)));
            BpfMachine machine = new BpfMachine(bpf.program());

            assertThat(machine.run(0, 0x18)).as("distance %s", distance).isEqualTo(FOUND);
            assertThat(machine.run(0, 0x10)).as("distance %s", distance).isEqualTo(NOT_FOUND);
        }
    }

    @Test
    void goesOnElsewhereAfterALoad() {
        Bpf bpf = new Bpf();
        int target = bpf.verdict(FOUND);
        bpf.verdict(NOT_FOUND);
        bpf.load(NUMBER, target);

        assertThat(new BpfMachine(bpf.program()).run(0, 0)).isEqualTo(FOUND);
    }

    @Test
    void refusesLabelsThatAreNotThereAndProgramsThatTheKernelWouldNotTake() {
        Bpf bpf = new Bpf();
        int label = bpf.verdict(FOUND);

        assertThatThrownBy(() -> bpf.ifEqual(1, label, 7)).hasMessageContaining("Label 7");
        assertThatThrownBy(() -> bpf.load(NUMBER, 0)).hasMessageContaining("Label 0");
        for (int more = 1; more < Bpf.MOST_INSTRUCTIONS; more++) {
            bpf.verdict(FOUND);
        }
        assertThatThrownBy(() -> bpf.verdict(FOUND)).hasMessageContaining("4096");
    }
}
