package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.spi.ResultFiles;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A box with a large disk cannot break whoever reads its files. */
final class ScratchTest {

    @TempDir Path folder = Path.of("");
    private Scratch scratch = new Scratch(-1, -1, 0);

    @BeforeEach
    void open() {
        int root = Kernel.open(folder.toString(), Kernel.O_RDONLY | Kernel.O_DIRECTORY);
        scratch = new Scratch(root, -1, 1L << 40);
    }

    @AfterEach
    void close() {
        scratch.close();
    }

    @Test
    void aFileThatNoArrayHoldsIsRefused() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("hole").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        assertThatThrownBy(() -> scratch.read("hole")).isInstanceOf(FileRefused.class);
    }

    @Test
    void suchAResultFileIsLeftOutAndTheOthersAreThere() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(folder.resolve("hole").toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        Files.writeString(folder.resolve("result"), "42");
        ResultFiles files = scratch.readAll(List.of("hole", "none", "result", "result"));
        assertThat(files.taken()).containsOnlyKeys("result");
        assertThat(files.refused()).containsOnlyKeys("hole");
        assertThat(files.refused().get("hole")).contains("larger than the box's disk");
    }
}
