package dev.glovebox.sandbox.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ConformanceKit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Machines that end or hang while a program runs in them, and JVMs that are killed. */
@Behind(MicrovmWall.class)
final class MachineGoneTest extends ConformanceKit {

    // That there is an end within two seconds is the promise; the rest is for a busy machine.
    private static final Duration SOON = Duration.ofSeconds(2 + 8);

    private interface Blow {
        void fall(MicrovmBox box) throws Exception;
    }

    /** Strikes while a program runs: that is told, and then the box is gone. */
    private void endsWith(Outcome expected, Policy policy, Blow blow) throws Exception {
        try (Sandbox box = open(policy, Language.BASH)) {
            CountDownLatch started = new CountDownLatch(1);
            Execution execution =
                    box.start(
                            Program.bash("echo started; sleep 100"), chunk -> started.countDown());
            assertThat(started.await(60, TimeUnit.SECONDS)).isTrue();
            blow.fall((MicrovmBox) box);
            long struck = System.nanoTime();
            assertThat(execution.await().outcome()).isEqualTo(expected);
            assertThat(Duration.ofNanos(System.nanoTime() - struck))
                    .isLessThan(policy.limits().wall().plus(SOON));
            assertThat(execution.await().stdout().text()).isEqualTo("started\n");
            assertThatThrownBy(() -> box.run(Program.command("true"))).isInstanceOf(BoxGone.class);
            assertThatThrownBy(() -> box.files().list("")).isInstanceOf(BoxGone.class);
        }
        assertThat(Machines.running()).isEmpty();
    }

    @Test
    void aMachineThatIsKilledEndsItsProgramsWithATypedOutcome() throws Exception {
        endsWith(
                new Outcome.Unknown("the virtual machine ended"),
                policy().wall(Duration.ofMinutes(1)),
                box -> Machines.kill());
    }

    @Test
    void anAgentThatDiesTakesItsMachineWithIt() throws Exception {
        endsWith(
                new Outcome.Unknown("the virtual machine ended"),
                policy().wall(Duration.ofMinutes(1)),
                box ->
                        assertThatThrownBy(() -> box.link().ask("no-such-request", Map.of()))
                                .isInstanceOf(BoxGone.class));
    }

    @Test
    void aMachineThatHangsIsEndedWhenTheTimeIsOver() throws Exception {
        Duration wall = Duration.ofSeconds(4);
        endsWith(new Outcome.TimedOut(wall), policy().wall(wall), box -> Machines.stop());
    }

    @Test
    void aMachineThatHangsCanBeClosed() throws Exception {
        Sandbox box = open(Language.BASH);
        Execution execution = box.start(Program.bash("sleep 100"), chunk -> {});
        Machines.stop();
        box.close();
        assertThat(execution.await().outcome()).isInstanceOf(Outcome.Cancelled.class);
        assertThat(Machines.running()).isEmpty();
    }

    @Test
    void aJvmThatIsKilledLeavesNoMachineAndWhatElseItLeftIsSwept() throws Exception {
        Process jvm =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                OneBox.class.getName())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        assertThat(jvm.inputReader().readLine()).isEqualTo("open");
        List<ProcessHandle> machines = Machines.of(jvm.toHandle());
        assertThat(machines).hasSize(1);
        Path building =
                Files.createDirectories(
                        Image.images(System.getenv())
                                .resolve("building-" + jvm.pid() + "-1-1")
                                .resolve("tree"));
        jvm.destroyForcibly().waitFor();
        machines.getFirst().onExit().get(20, TimeUnit.SECONDS);
        assertThat(folders(jvm.pid())).hasSize(1);
        assertThat(tier().sweep()).isGreaterThanOrEqualTo(2);
        assertThat(folders(jvm.pid())).isEmpty();
        assertThat(building).doesNotExist();
    }

    private static List<Path> folders(long pid) throws Exception {
        try (var all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(one -> one.getFileName().toString().startsWith("glovebox-" + pid))
                    .toList();
        }
    }

    @Test
    void aSnapshotThatIsDamagedIsMadeAnew() throws Exception {
        Image image = Image.current(System.getenv()).orElseThrow();
        Path folder = Snapshots.folder(System.getenv()).resolve(image.digest());
        Policy small = policy();
        tier().open(small).close();
        try (var all = Files.list(folder)) {
            for (Path state : all.filter(one -> !one.endsWith("lock")).toList()) {
                Files.write(state, new byte[1000]);
            }
        }
        try (Sandbox box = open(small, Language.BASH)) {
            assertThat(box.run(Program.bash("echo on")).stdout().text()).isEqualTo("on\n");
        }
    }
}
