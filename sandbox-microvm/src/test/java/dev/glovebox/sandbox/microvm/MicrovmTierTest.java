package dev.glovebox.sandbox.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.Census;
import dev.glovebox.sandbox.conformance.ConformanceKit;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a box in a virtual machine does, and what happens when the machine does not live. */
@Behind(MicrovmWall.class)
final class MicrovmTierTest extends ConformanceKit {

    @Override
    protected Policy policy() {
        return super.policy().wall(Duration.ofSeconds(30));
    }

    @Test
    void pythonRunsAndTheReceiptTellsWhatWasInForce() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result = box.run(Program.python("print(42)"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).isEqualTo("42\n");
            assertThat(result.receipt().tier()).isEqualTo("microvm");
            assertThat(result.receipt().tierVersion()).startsWith("QEMU ");
            assertThat(result.receipt().controls())
                    .extracting(control -> control.name())
                    .contains("machine", "image", "kernel", "memory", "network", "capabilities");
            Image image = Image.current(System.getenv()).orElseThrow();
            assertThat(value(result, "image")).isEqualTo("sha256:" + image.digest());
            assertThat(value(result, "machine")).matches("KVM|TCG: .*");
            assertThat(value(result, "host-memory")).isEqualTo("2560MiB");
            assertThat(value(result, "host-user")).isNotEqualTo("0");
            assertThat(value(result, "host-capabilities")).isEqualTo("none");
            assertThat(value(result, "disk-rate")).isEqualTo("nothing to write to");
            assertThat(result.receipt().hostUid()).isEmpty();
        }
    }

    private static String value(Result result, String control) {
        return result.receipt().control(control).orElseThrow().value();
    }

    @Test
    void machinesOfOneSnapshotShareNeitherRandomNumbersNorFiles() {
        Program program =
                Program.python("import os, random; print(os.urandom(16).hex(), random.random())");
        try (Sandbox one = open(Language.PYTHON);
                Sandbox other = open(Language.PYTHON)) {
            one.files().write("secret", new byte[] {1});
            assertThat(other.files().list("")).isEmpty();
            assertThat(one.run(program).stdout().text())
                    .isNotEqualTo(other.run(program).stdout().text());
        }
    }

    @Test
    void aTimeOutKeepsTheOutputAndTheBox() {
        Duration wall = Duration.ofSeconds(2);
        try (Sandbox box = open(policy().wall(wall), Language.BASH)) {
            Result result = box.run(Program.bash("echo before; sleep 100; echo after"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.TimedOut(wall));
            assertThat(result.stdout().text()).isEqualTo("before\n");
            Result next = box.run(Program.command("echo", "again"));
            assertThat(next.stdout().text()).as(told(next)).isEqualTo("again\n");
        }
    }

    @Test
    void tooMuchMemoryIsALimitHit() {
        Policy small = policy().memory(Bytes.mebibytes(64)).disk(Bytes.mebibytes(8));
        try (Sandbox box = open(small, Language.PYTHON)) {
            Result result = box.run(Program.python("x = bytearray(200 << 20); print(len(x))"));
            assertThat(result.outcome())
                    .as(told(result))
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> assertThat(hit.limit()).isEqualTo(Limit.MEMORY));
        }
    }

    @Test
    void filesGoInAndOut() {
        try (Sandbox box = open(Language.BASH)) {
            byte[] large = new byte[300_000];
            large[299_999] = 7;
            box.files().write("a/b/large", large);
            Result result =
                    box.run(
                            Program.bash("cp a/b/large copy; ln -s /etc/passwd link")
                                    .output("copy"));
            assertThat(result.files().get("copy")).as(told(result)).isEqualTo(large);
            assertThatThrownBy(() -> box.files().read("link")).hasMessageContaining("ELOOP");
            assertThatThrownBy(() -> box.files().read("../etc/passwd"))
                    .hasMessageContaining("not a plain path");
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void boxesThatAreKilledLeaveNothingBehind() throws Exception {
        try (Sandbox first = open(Language.BASH)) {
            first.run(Program.command("true"));
        }
        Census before = Census.take();
        for (int i = 0; i < MicrovmWall.MANY; i++) {
            try (Sandbox box = open(Language.BASH)) {
                Execution execution = box.start(Program.bash("sleep 100"), chunk -> {});
                if (i % 2 == 0) {
                    Machines.kill();
                    assertThat(execution.await().outcome()).isInstanceOf(Outcome.Unknown.class);
                }
            }
        }
        before.assertNothingWasAdded();
        assertThat(Machines.running()).isEmpty();
    }

    @Test
    void whatItCannotEnforceIsRefused() {
        assertThatThrownBy(() -> open(policy().allow("example.com", 443)))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("network");
        assertThatThrownBy(() -> open(policy().memory(Bytes.mebibytes(1 << 20))))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("this host has");
    }
}
