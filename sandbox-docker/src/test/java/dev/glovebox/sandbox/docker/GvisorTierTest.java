package dev.glovebox.sandbox.docker;

import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ConformanceKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What is special about gVisor: a kernel of its own, which is not the host's. */
@Behind(Walls.Gvisor.class)
final class GvisorTierTest extends ConformanceKit {

    @Test
    void programsTalkToAnotherKernelThanTheHosts() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result result = box.run(Program.python("print(open('/proc/version').read())"));
            assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).doesNotContain(System.getProperty("os.version"));
            assertThat(result.receipt().tier()).isEqualTo("gvisor");
            assertThat(result.receipt().control("seccomp").orElseThrow().by()).startsWith("gVisor");
        }
    }

    /** Its kernel follows a link to a folder that O_DIRECTORY and O_NOFOLLOW are to open. */
    @Test
    void linksToFoldersAreNotFollowed() {
        try (Sandbox box = open(Language.BASH)) {
            Result done =
                    box.run(
                            Program.bash(
                                    "mkdir -p real/inner && ln -s real planted && cd planted/inner"));
            assertThat(done.outcome()).as(told(done)).isEqualTo(new Outcome.Exited(0));
            assertThatThrownBy(() -> box.files().list("planted")).isInstanceOf(FileRefused.class);
            assertThatThrownBy(() -> box.files().stat("planted/inner"))
                    .isInstanceOf(FileRefused.class);
        }
    }

    /** Its tmpfs counts none and refuses none, so a program may end before anybody has looked. */
    @Test
    void tooManyFilesAreFoundWhenAProgramHasEnded() {
        try (Sandbox box = open(policy().disk(mebibytes(4)), Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    os.makedirs('some/where')
                                    for number in range(2000):
                                        os.mknod('some/where/%d' % number)
                                    """));
            assertThat(result.outcome())
                    .as(told(result))
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> assertThat(hit.limit()).isEqualTo(Limit.INODES));
        }
    }

    /** Whoever counts them goes as deep as he has descriptors, and does not stumble there. */
    @Test
    void foldersThatAreDeeperThanAnybodyCountsHarmNobody() {
        try (Sandbox box = open(Language.PYTHON)) {
            Result deep =
                    box.run(
                            Program.python(
                                    """
                                    import os
                                    for _ in range(400):
                                        os.mkdir('d')
                                        os.chdir('d')
                                    """));
            assertThat(deep.outcome()).as(told(deep)).isEqualTo(new Outcome.Exited(0));
            Result next = box.run(Program.python("print(42)"));
            assertThat(next.outcome()).as(told(next)).isEqualTo(new Outcome.Exited(0));
        }
    }

    /** Its kernel shows no cgroup: what ended is in what its parent has waited for. */
    @Test
    void theTimeOfChildrenThatEndedCounts() {
        try (Sandbox box = open(policy().cpuTime(Duration.ofSeconds(2)), Language.PYTHON)) {
            Result result =
                    box.run(
                            Program.python(
                                    """
                                    import os, time
                                    while True:
                                        if os.fork() == 0:
                                            start = time.process_time()
                                            while time.process_time() - start < 0.3: pass
                                            os._exit(0)
                                        os.wait()
                                    """));
            assertThat(result.outcome())
                    .as(told(result))
                    .isInstanceOfSatisfying(
                            Outcome.LimitHit.class,
                            hit -> assertThat(hit.limit()).isEqualTo(Limit.CPU_TIME));
        }
    }
}
