package dev.glovebox.sandbox.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.conformance.Walls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What holds where the kernel's controllers are those of cgroup v2 and we may use them. */
@EnabledOnOs(OS.LINUX)
final class CgroupV2Test {

    private static final int BOXES = 3;

    private static Receipt receipt() {
        try (Sandbox box = Sandboxes.openTier("jail", Policy.denyAll())) {
            return box.run(Program.command("true")).receipt();
        }
    }

    @BeforeAll
    static void version2IsUsedHere() {
        Walls.needed("jail");
        String by = receipt().control("memory").orElseThrow().by();
        assumeTrue(by.contains("cgroup v2"), "Memory is bounded by " + by);
    }

    @Test
    void theReceiptTellsWhatTheGroupBounds() {
        Receipt receipt = receipt();
        assertThat(receipt.control("memory").orElseThrow().by()).startsWith("tree, cgroup v2");
        assertThat(receipt.control("processes").orElseThrow().by()).startsWith("cgroup v2");
        assertThat(receipt.control("cpus").orElseThrow().by()).isEqualTo("cgroup v2");
    }

    @Test
    void aBoxCannotSeeWhereItsGroupIs() {
        try (Sandbox box = Sandboxes.openTier("jail", Policy.denyAll())) {
            assertThat(box.run(Program.command("cat", "/proc/self/cgroup")).stdout().text())
                    .isEqualTo("0::/\n");
        }
    }

    @Test
    void everyProcessOfABoxIsInItsGroupWhichDoesNotSwap(@TempDir Path folder) throws IOException {
        try (Jvm jvm = Jvm.start(folder)) {
            jvm.open("jail", 1);
            Path group = Remains.cgroups(jvm.pid()).getFirst();
            List<String> processes =
                    ProcessHandle.of(jvm.pid())
                            .orElseThrow()
                            .descendants()
                            .map(one -> Long.toString(one.pid()))
                            .toList();
            // bubblewrap, its init process, the holder, two parents of commands, and the commands.
            assertThat(processes).hasSizeGreaterThanOrEqualTo(6);
            assertThat(Files.readAllLines(group.resolve("cgroup.procs"))).containsAll(processes);
            assertThat(group.resolve("memory.swap.max")).hasContent("0");
        }
    }

    @Test
    void jvmsThatStartEachOtherMakeTheirGroupsInOnePlace(@TempDir Path folder) {
        try (Sandbox box = Sandboxes.openTier("jail", Policy.denyAll());
                Jvm jvm = Jvm.start(folder)) {
            assertThat(box.tier()).isEqualTo("jail");
            jvm.open("jail", BOXES);
            List<Path> ours = Remains.cgroups(ProcessHandle.current().pid());
            assertThat(ours).hasSize(1);
            assertThat(Remains.cgroups(jvm.pid()))
                    .hasSize(BOXES)
                    .allSatisfy(group -> assertThat(group).hasParent(ours.getFirst().getParent()));
        }
    }

    @Test
    void nothingIsLeftOfAJvmThatEnds(@TempDir Path folder) {
        try (Jvm jvm = Jvm.start(folder)) {
            jvm.open("jail", BOXES);
            assertThat(Remains.cgroups(jvm.pid())).hasSize(BOXES);
            jvm.tell("return");
            assertThat(jvm.await()).isZero();
            assertThat(Remains.cgroups(jvm.pid())).isEmpty();
        }
    }

    @Test
    void whatAKilledJvmLeavesIsSweptByTheNext(@TempDir Path folder) {
        try (Jvm killed = Jvm.start(folder);
                Jvm next = Jvm.start(folder)) {
            killed.open("jail", BOXES);
            killed.signal("KILL");
            killed.await();
            assertThat(Remains.cgroups(killed.pid())).hasSize(BOXES);
            // The kernel ends the boxes, and nobody waits for it.
            while (!Remains.marked(killed.marker()).isEmpty()) {
                LockSupport.parkNanos(10_000_000);
            }
            next.open("jail", 1);
            assertThat(Remains.cgroups(killed.pid())).isEmpty();
            assertThat(Remains.cgroups(next.pid())).hasSize(1);
        }
    }
}
