package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.SandboxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Boxes leave nothing behind, however they end.
 *
 * <p>With the system property {@code glovebox.soak} set to true there are thousands of them.
 */
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class HygieneKit extends ConformanceKit {

    private static final boolean SOAK = Boolean.getBoolean("glovebox.soak");
    // One thing left behind is seen, so that few boxes find what each of them leaves; many find
    // what is left now and then.
    private static final int BOXES = SOAK ? 5_000 : 100;
    private static final int SPECIAL_BOXES = SOAK ? 300 : 10;
    private static final int WARM_UP = 3;
    private static final Duration SHORT = Duration.ofMillis(100);

    /** How many boxes in a row; a tier whose boxes take long has fewer. */
    protected int boxes() {
        return BOXES;
    }

    /** How many of each special kind. */
    protected int specialBoxes() {
        return SPECIAL_BOXES;
    }

    private interface Use {
        void once() throws Exception;
    }

    /** The first uses start what lives as long as the JVM; it is not counted. */
    private void leavesNothing(int times, Use use) throws Exception {
        for (int i = 0; i < WARM_UP; i++) {
            use.once();
        }
        // Never so many that one for each box would not be seen.
        Census before = Census.take().expecting(Math.min(keptConnections(), times / 4));
        for (int i = 0; i < times; i++) {
            use.once();
        }
        before.assertNothingWasAdded();
    }

    @Test
    void boxesInARowLeaveNothingBehind() throws Exception {
        leavesNothing(
                boxes(),
                () -> {
                    try (Sandbox box = open(Language.BASH)) {
                        Result result =
                                box.run(
                                        Program.bash("cat; echo x > file")
                                                .stdin("x")
                                                .output("file"));
                        assertThat(result.outcome())
                                .as(told(result))
                                .isEqualTo(new Outcome.Exited(0));
                        assertThat(result.files()).containsKey("file");
                    }
                });
    }

    @Test
    void commandsInARowLeaveNothingBehindInTheirBox() throws Exception {
        try (Sandbox box = open(Language.BASH)) {
            leavesNothing(
                    boxes(),
                    () -> {
                        Result result = box.run(Program.bash("sleep 100 & exit 3"));
                        assertThat(result.outcome())
                                .as(told(result))
                                .isEqualTo(new Outcome.Exited(3));
                    });
            assertThat(box.files().list("")).hasSize(1);
        }
    }

    @Test
    void boxesThatAreOpenTogetherLeaveNothingBehind() throws Exception {
        has(Language.BASH);
        leavesNothing(
                Math.max(1, specialBoxes() / 4),
                () -> {
                    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                        List<Future<Result>> results = new ArrayList<>();
                        for (int i = 0; i < 8; i++) {
                            results.add(
                                    threads.submit(() -> {
                                        try (Sandbox box = open(Language.BASH)) {
                                            return box.run(Program.bash("echo x"));
                                        }
                                    }));
                        }
                        for (Future<Result> result : results) {
                            assertThat(result.get().stdout().text()).isEqualTo("x\n");
                        }
                    }
                });
    }

    @Test
    void boxesThatAreNeverUsedLeaveNothingBehind() throws Exception {
        leavesNothing(specialBoxes(), () -> open().close());
    }

    @Test
    void boxesThatCannotBeOpenedLeaveNothingBehind() throws Exception {
        // Either refused or, where it can be enforced, a box.
        List<Policy> policies =
                List.of(
                        policy().allow("example.com", 443),
                        policy().memoryEnforcement(Policy.MemoryEnforcement.TREE),
                        policy().memory(Bytes.mebibytes(4)).disk(Bytes.kibibytes(64)),
                        policy().openFiles(16),
                        policy().processes(1),
                        policy().limits(limits -> limits.withCpus(4096)));
        leavesNothing(
                specialBoxes(),
                () -> {
                    for (Policy policy : policies) {
                        try (Sandbox box = open(policy)) {
                            assertThat(box.tier()).isEqualTo(tier().name());
                        } catch (NotEnforceable e) {
                            assertThat(e.control()).isNotBlank();
                        }
                    }
                });
    }

    @Test
    void programsThatCannotBeStartedLeaveNothingBehind() throws Exception {
        promised(Promise.COMMANDS);
        leavesNothing(
                specialBoxes(),
                () -> {
                    try (Sandbox box = open(Language.BASH)) {
                        assertThat(box.run(Program.command("no-such-command")).outcome())
                                .isInstanceOf(Outcome.NotStarted.class);
                        assertThatThrownBy(() ->
                                        box.run(Program.bash("true").input("../x", new byte[0])))
                                .isInstanceOf(FileRefused.class);
                        box.files().makeDirectory("main.sh");
                        assertThatThrownBy(() -> box.run(Program.bash("true")))
                                .isInstanceOf(FileRefused.class);
                    }
                });
    }

    @Test
    void timeOutsLeaveNothingBehind() throws Exception {
        leavesNothing(
                specialBoxes(),
                () -> {
                    try (Sandbox box = open(policy().wall(SHORT), Language.BASH)) {
                        Result result =
                                box.run(
                                        Program.bash(
                                                "trap '' TERM; sleep 60 & setsid sleep 60 & wait"));
                        assertThat(result.outcome()).isEqualTo(new Outcome.TimedOut(SHORT));
                    }
                });
    }

    @Test
    void cancelsLeaveNothingBehind() throws Exception {
        leavesNothing(
                specialBoxes(),
                () -> {
                    try (Sandbox box = open(Language.BASH)) {
                        Execution execution = box.start(Program.bash("sleep 60"), chunk -> {});
                        execution.cancel("enough");
                        assertThat(execution.await().outcome())
                                .isEqualTo(new Outcome.Cancelled("enough"));
                    }
                });
    }

    @Test
    void programsThatAreStillRunningWhenTheirBoxClosesLeaveNothingBehind() throws Exception {
        leavesNothing(
                specialBoxes(),
                () -> {
                    Sandbox box = open(Language.BASH);
                    Execution one = box.start(Program.bash("sleep 60"), chunk -> {});
                    Execution other = box.start(Program.bash("sleep 60"), chunk -> {});
                    box.close();
                    assertThat(one.done() && other.done()).isTrue();
                });
    }

    @Test
    void aListenerThatThrowsLeavesNothingBehind() throws Exception {
        leavesNothing(
                specialBoxes(),
                () -> {
                    try (Sandbox box = open(Language.BASH)) {
                        Execution execution =
                                box.start(
                                        Program.bash("echo x; sleep 60"),
                                        chunk -> {
                                            throw new IllegalStateException(
                                                    "the listener's own fault");
                                        });
                        assertThat(execution.await().outcome()).isNotEqualTo(new Outcome.Exited(0));
                    }
                });
    }

    @Test
    void aBoxThatIsKilledFromInsideLeavesNothingBehind() throws Exception {
        // Where the host's processes can be reached, this would end the host.
        promised(Promise.PROCESSES_HIDDEN);
        assertThat(tier().isolation().atLeast(Isolation.JAIL)).isTrue();
        leavesNothing(
                specialBoxes(),
                () -> {
                    try (Sandbox box = open(Language.BASH)) {
                        try {
                            box.run(Program.bash("kill -9 -1"));
                            box.run(
                                    Program.bash(
                                            "kill -9 -1; kill -9 $PPID; kill -9 2; kill -9 $$"));
                            box.run(Program.bash("true"));
                            box.run(Program.bash("true"));
                        } catch (BoxGone e) {
                            assertThat(e).hasMessageContaining("gone");
                        }
                    }
                });
    }

    @Test
    void whateverIsInTheScratchIsRemovedWithIt() throws Exception {
        leavesNothing(
                specialBoxes(),
                () -> {
                    try (Sandbox box = open(Language.PYTHON)) {
                        Result result =
                                box.run(
                                        Program.python(
                                                """
                                                import os
                                                open(b'\\xff\\n', 'w')
                                                os.symlink('/', 'root')
                                                os.mkfifo('fifo')
                                                os.makedirs('locked/folder')
                                                open('locked/folder/file', 'w')
                                                os.chmod('locked/folder', 0)
                                                os.chmod('locked', 0)
                                                for i in range(1500):
                                                    os.mkdir('nested')
                                                    os.chdir('nested')
                                                """));
                        assertThat(result.outcome())
                                .as(told(result))
                                .isEqualTo(new Outcome.Exited(0));
                    }
                });
    }

    @Test
    void refusedFilesLeaveNothingBehind() throws Exception {
        try (Sandbox box = open(policy().disk(Bytes.mebibytes(1)), Language.BASH)) {
            box.run(
                    Program.bash(
                            "mkfifo fifo; ln -s fifo link; mkdir folder; ln -s . folder/link"));
            List<String> paths =
                    List.of("fifo", "link", "folder", "folder/link/x", "missing", "fifo/x", "..");
            leavesNothing(
                    boxes(),
                    () -> {
                        for (String path : paths) {
                            refused(() -> box.files().read(path));
                            refused(() ->
                                    box.files().write(path, "x".getBytes(StandardCharsets.UTF_8)));
                            refused(() -> box.files().makeDirectory(path + "/y"));
                            refused(() -> box.files().move(path, path + "/z/z"));
                            refused(() -> box.files().list(path + "/x"));
                            refused(() -> box.files().delete(path + "/x"));
                        }
                    });
        }
    }

    private static void refused(Runnable call) {
        try {
            call.run();
        } catch (SandboxException e) {
            assertThat(e).isInstanceOf(FileRefused.class);
        }
    }
}
