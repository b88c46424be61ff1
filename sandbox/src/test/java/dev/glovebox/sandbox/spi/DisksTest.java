package dev.glovebox.sandbox.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.glovebox.sandbox.Control;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel's rules on disks mean, and what the receipt says of them. */
final class DisksTest {

    private static final Disk DISK = new Disk("254:0", "vda", true);
    private static final Disk OTHER = new Disk("254:16", "vdb", false);

    @Test
    void rulesOfBothVersionsAreRead() {
        assertThat(DISK.rate("254:16 7\n254:0 1048576\n")).hasValue(1_048_576);
        assertThat(DISK.rate("254:0 rbps=5 wbps=1048576 riops=max wiops=9\n")).hasValue(1_048_576);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "254:00 5",
                "254:0",
                "254:0 -5",
                "254:0 18446744073709551615",
                "254:0 rbps=5 wbps=max riops=max wiops=9"
            })
    void whatIsNoRuleForTheDiskBoundsNothing(String rules) {
        assertThat(DISK.rate(rules)).isEmpty();
    }

    @Test
    void numbersOfDevicesAreTakenApartAsTheKernelMeansThem() {
        assertThat(Disks.number(0xfe00)).isEqualTo("254:0");
        assertThat(Disks.number(0x10301)).isEqualTo("259:1");
        assertThat(Disks.number(0x11001234170ffL)).isEqualTo("70000:1193215");
    }

    @Test
    void whatIsNotBoundedIsSaidFirst() {
        Disks disks = new Disks(List.of(DISK, OTHER), List.of());
        assertThat(disks.controls("254:0 1048576", "cgroup v1", "no rule"))
                .extracting(Control::value, Control::by)
                .containsExactly(
                        tuple("not bounded", "vdb: no rule"),
                        tuple(
                                "1MiB/s",
                                "cgroup v1, disk vda, what is written back later not included"));
    }

    @Test
    void onlyVersion2HoldsWhatIsWrittenLaterAndOnlyWhereTheFileSystemTellsWhose() {
        Disks disks = new Disks(List.of(DISK, OTHER), List.of());
        assertThat(disks.controls("254:0 wbps=65536\n254:16 wbps=65536", "cgroup v2", "no rule"))
                .extracting(Control::by)
                .containsExactly(
                        "cgroup v2, disk vda, what is written back later included",
                        "cgroup v2, disk vdb, what is written back later not included");
    }
}
