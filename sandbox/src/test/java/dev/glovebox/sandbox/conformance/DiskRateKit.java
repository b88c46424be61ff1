package dev.glovebox.sandbox.conformance;

import static dev.glovebox.sandbox.Bytes.kibibytes;
import static dev.glovebox.sandbox.Bytes.mebibytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How fast a box may write to the disks of the host, where a policy shows it folders to write to.
 * The system property {@code glovebox.disk} names a folder on a disk, if that of temporary files is
 * not.
 */
public abstract class DiskRateKit extends ConformanceKit {

    private static final Path DISK =
            Path.of(System.getProperty("glovebox.disk", System.getProperty("java.io.tmpdir")));

    /** Writes mebibytes to a file so that each piece has reached the disk, and tells how long. */
    private static final String WRITE =
            """
            import mmap, os, sys, time

            def write(name, flags, pieces, size=1 << 18):
                data = mmap.mmap(-1, size)
                data.write(b'x' * size)
                file = os.open('/data/' + name, os.O_WRONLY | os.O_CREAT | flags, 0o600)
                for piece in range(pieces):
                    os.write(file, data)
                os.close(file)

            begin = time.monotonic()
            """;

    private Path folder = DISK;

    @BeforeEach
    void aFolderOnADisk() throws IOException {
        promised(Promise.DISK_RATE);
        assumeFalse(
                Files.getFileStore(DISK).type().equals("tmpfs"),
                () -> DISK + " is in memory: name a folder on a disk with -Dglovebox.disk");
        folder = Files.createTempDirectory(DISK.toRealPath(), "rate");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    }

    @AfterEach
    void nothingIsLeft() throws IOException {
        if (folder.equals(DISK)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(folder);
    }

    private Policy writing() {
        return policy().grant(new FileGrant(folder, "/data", FileGrant.Mode.WRITE));
    }

    private Result run(Policy policy, String python) {
        try (Sandbox box = open(policy, Language.PYTHON)) {
            return box.run(Program.python(WRITE + python));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"os.O_SYNC", "os.O_SYNC | os.O_DIRECT"})
    void writingIsHeldToTheRate(String flags) {
        Result result =
                run(
                        writing().wall(seconds(60)).diskRate(mebibytes(1)),
                        "write('file', " + flags + ", 16)\nprint(time.monotonic() - begin)\n");
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        // A little is let through ahead.
        assertThat(Double.parseDouble(result.stdout().text())).isGreaterThan(3);
        assertThat(controls(result))
                .singleElement()
                .satisfies(control -> {
                    assertThat(control.value()).isEqualTo("1MiB/s");
                    assertThat(control.by()).contains("cgroup v", "disk ", "writ");
                });
    }

    @Test
    void theRateIsThatOfAllProcessesTogether() {
        Result result =
                run(
                        writing().wall(seconds(60)).diskRate(mebibytes(1)),
                        """
                        children = []
                        for number in range(4):
                            child = os.fork()
                            if child == 0:
                                write(str(number), os.O_SYNC, 4)
                                os._exit(0)
                            children.append(child)
                        print([os.waitstatus_to_exitcode(os.waitpid(one, 0)[1]) for one in children])
                        print(time.monotonic() - begin, file=sys.stderr)
                        """);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("[0, 0, 0, 0]\n");
        assertThat(Double.parseDouble(result.stderr().text())).isGreaterThan(3);
    }

    @Test
    void whatIsWrittenThroughThePageCacheIsHeldToTheRateWhereTheReceiptSaysSo() {
        Result result =
                run(
                        writing().wall(seconds(60)).diskRate(mebibytes(1)),
                        """
                        write('file', 0, 16)
                        file = os.open('/data/file', os.O_RDONLY)
                        os.fsync(file)
                        print(time.monotonic() - begin)
                        """);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assumeTrue(
                controls(result).stream()
                        .allMatch(control -> control.by().contains("written back later included")),
                "the kernel does not know here whose the data is that it writes later");
        assertThat(Double.parseDouble(result.stdout().text())).isGreaterThan(3);
    }

    /**
     * Not even SIGKILL ends a process whose writes are under way, which here take ten minutes each.
     *
     * <p>On gVisor the host's kernel may be quicker: there every write is one through the page
     * cache, and what the kernel writes back before it was asked to has no rate.
     */
    @Test
    void aProgramThatWaitsForADiskIsTimedOutAndItsBoxEnds() {
        Result result =
                run(
                        writing().wall(seconds(3)).diskRate(kibibytes(64)),
                        """
                        while True:
                            write('file', os.O_SYNC | os.O_DIRECT, 1, 40 << 20)
                        """);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.TimedOut(seconds(3)));
    }

    @Test
    void aBoxThatWritesToNoFolderOfTheHostHasNothingToBeHeldTo() {
        try (Sandbox box =
                open(policy().grant(new FileGrant(folder, "/data", FileGrant.Mode.READ)))) {
            Result result = box.run(Program.command("true"));
            assertThat(controls(result))
                    .extracting(Control::value)
                    .containsExactly("nothing to write to");
        }
    }

    private static List<Control> controls(Result result) {
        return result.receipt().controls().stream()
                .filter(control -> control.name().equals("disk-rate"))
                .toList();
    }
}
