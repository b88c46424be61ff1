package dev.glovebox.sandbox.microvm;

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
final class FolderTest {

    private static final int SOMEBODY = 54_321;
    private static final int OF_A_MACHINE = 0x6000_0001;

    @TempDir Path own = Path.of("");

    // As of a process that cannot be: its number is above the largest that the kernel gives.
    private final Path folder =
            Path.of(
                    System.getProperty("java.io.tmpdir"),
                    "glovebox-4194305-1-vm" + System.nanoTime());

    @AfterEach
    void remove() throws IOException {
        if (!Files.isSymbolicLink(folder)) {
            Files.deleteIfExists(folder.resolve("file"));
        }
        Files.deleteIfExists(folder);
    }

    @Test
    void whatADeadJvmLeftIsRemoved() throws IOException {
        make(Folder.ownUser());
        Folder.sweep();
        assertThat(folder).doesNotExist();
    }

    @Test
    void whatRootGaveToAMachineIsRemoved() throws IOException {
        assumeTrue(Folder.ownUser() == 0, "only root has users for machines");
        make(OF_A_MACHINE);
        Folder.sweep();
        assertThat(folder).doesNotExist();
    }

    @Test
    void aFolderOfSomebodyElseIsLeftAlone() throws IOException {
        assumeTrue(Folder.ownUser() == 0, "only root can give folders away");
        make(SOMEBODY);
        Folder.sweep();
        assertThat(folder.resolve("file")).exists();
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Files.writeString(own.resolve("file"), "dear to us");
        Files.createSymbolicLink(folder, own);
        Folder.sweep();
        assertThat(own.resolve("file")).exists();
    }

    private void make(int owner) throws IOException {
        Files.createDirectory(folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.writeString(folder.resolve("file"), "");
        if (owner != Folder.ownUser()) {
            Files.setAttribute(folder, "unix:uid", owner);
        }
    }
}
