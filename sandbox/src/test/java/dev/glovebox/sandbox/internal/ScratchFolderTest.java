package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What dead JVMs left is removed, and what others put there is not touched. */
final class ScratchFolderTest {

    private static final int SOMEBODY = 54_321;

    @TempDir Path own = Path.of("");

    // As of a process that cannot be: its number is above the largest that the kernel gives.
    private final Path folder =
            Path.of(
                    System.getProperty("java.io.tmpdir"),
                    "glovebox-4194305-1-" + System.nanoTime());

    @AfterEach
    void remove() throws IOException {
        Files.deleteIfExists(folder.resolve("file"));
        Files.deleteIfExists(folder);
    }

    @Test
    void whatADeadJvmLeftIsRemoved() throws IOException {
        Files.createDirectory(folder);
        Files.writeString(folder.resolve("file"), "");
        ScratchFolder.sweep();
        assertThat(folder).doesNotExist();
    }

    @Test
    void aFolderOfSomebodyElseIsLeftAlone() throws IOException {
        assumeTrue(Kernel.getuid() == 0, "only root can give folders away");
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(folder.resolve("file"), "");
        Files.setAttribute(folder, "unix:uid", SOMEBODY);
        ScratchFolder.sweep();
        assertThat(folder.resolve("file")).exists();
    }

    @Test
    void aLinkIsNotFollowedNorRemoved() throws IOException {
        Files.createSymbolicLink(folder, own);
        ScratchFolder.sweep();
        assertThat(folder).isSymbolicLink();
    }
}
