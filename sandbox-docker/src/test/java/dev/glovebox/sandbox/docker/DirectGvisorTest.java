package dev.glovebox.sandbox.docker;

import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.DiskRateKit;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** gVisor without an engine. */
@Behind(Walls.GvisorAlone.class)
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DirectGvisorTest {

    private static final Policy POLICY =
            Policy.denyAll().isolation(Isolation.GVISOR).wall(Duration.ofSeconds(20));

    static final GvisorTier TIER =
            new GvisorTier(
                    TestEngine.settings().withHost(URI.create("unix:///nowhere/engine.sock")));

    @BeforeEach
    void gvisorIsHere() {
        assumeTrue(DirectGvisor.find().isPresent(), "runsc is not installed, or we are not root");
    }

    @Test
    void programsRunAndTheReceiptSaysWhatTheyRanOn() {
        try (Sandbox box = TIER.open(POLICY)) {
            Result result =
                    box.run(Program.python("open('x','w').write('1'); print(6*7)").output("x"));
            assertThat(result.outcome())
                    .as(result.stderr().text())
                    .isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).isEqualTo("42\n");
            assertThat(result.files()).containsKey("x");
            assertThat(result.receipt().tierVersion()).startsWith("runsc alone");
            assertThat(result.receipt().control("memory").orElseThrow().value())
                    .isEqualTo("320MiB");
            assertThat(box.run(Program.bash("exit 3")).outcome()).isEqualTo(new Outcome.Exited(3));
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aProgramThatTakesTooLongIsTimedOutAndNothingIsLeft() throws Exception {
        Policy brief = POLICY.wall(Duration.ofSeconds(1));
        for (int i = 0; i < Boxes.MANY; i++) {
            try (Sandbox box = TIER.open(brief)) {
                assertThat(box.run(Program.bash("sleep 60 & sleep 60")).outcome())
                        .isEqualTo(new Outcome.TimedOut(Duration.ofSeconds(1)));
            }
        }
        // Boxes are removed while nobody waits: between two steps of it nothing is to be seen.
        String ours = "glovebox-" + ProcessHandle.current().pid() + "-g";
        int quiet = 0;
        for (int i = 0; i < 300 && quiet < 20; i++) {
            quiet = left(ours) ? 0 : quiet + 1;
            Thread.sleep(100);
        }
        assertThat(quiet).isEqualTo(20);
    }

    private static boolean left(String ours) {
        return ProcessHandle.allProcesses()
                        .anyMatch(one ->
                                one.info().commandLine().filter(l -> l.contains(ours)).isPresent())
                || Path.of("/sys/fs/cgroup/memory")
                                .toFile()
                                .list((folder, name) -> name.startsWith(ours))
                                .length
                        > 0;
    }

    @Test
    void aBoxWhoseKernelIsEndedForWantOfMemoryHasHitItsLimit() {
        try (Sandbox box = TIER.open(POLICY.memory(mebibytes(64)).disk(mebibytes(8)))) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    for _ in range(200):
                                        os.write(os.memfd_create('x'), b'x' * (1 << 20))
                                    """));
            assertThat(result.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> assertThat(hit.limit()).isEqualTo(Limit.MEMORY));
        }
    }

    /** Who plants a state of gVisor's would have it end and remove what he names there. */
    @Test
    void whatADeadJvmLeftIsSweptOnlyWhereNobodyElseCouldWrite() throws IOException {
        Path planted = Path.of(System.getProperty("java.io.tmpdir"), "glovebox-runsc-999999999");
        Files.createDirectory(planted);
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxrwxrwx"));
        TIER.sweep();
        assertThat(planted).exists();
        Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwx------"));
        TIER.sweep();
        assertThat(planted).doesNotExist();
    }

    @Test
    void hostsThatAPolicyAllowsAreRefused() {
        assertThatThrownBy(() -> TIER.open(POLICY.allow("example.com", 443)))
                .isInstanceOf(NotEnforceable.class);
    }

    @Test
    void nothingOfTheHostButItsProgramsIsThere() {
        try (Sandbox box = TIER.open(POLICY)) {
            Result result =
                    box.run(
                            Program.python(
                                    "import os; print(sorted(os.listdir('/')), os.listdir('/etc'), os.access('/usr', os.W_OK))"));
            assertThat(result.stdout().text())
                    .contains("'usr'")
                    .doesNotContain("'home'")
                    .doesNotContain("'root'")
                    .doesNotContain("passwd")
                    .endsWith("False\n");
            assertThat(Files.exists(Path.of("/planted"))).isFalse();
        }
    }

    @Nested
    final class DiskRate extends DiskRateKit {}
}
