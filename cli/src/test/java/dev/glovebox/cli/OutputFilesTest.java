package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A box that may write to the current directory cannot lead a result file astray. */
class OutputFilesTest {

    private static final byte[] CONTENT = {1, 2, 3};

    @TempDir Path directory;

    @Test
    void saves_and_replaces() throws IOException {
        Files.writeString(directory.resolve("x"), "something longer");
        new OutputFiles(directory).save("x", CONTENT);
        new OutputFiles(directory).save("a/b/x", CONTENT);
        assertThat(directory.resolve("x")).hasBinaryContent(CONTENT);
        assertThat(directory.resolve("a/b/x")).hasBinaryContent(CONTENT);
    }

    @Test
    void follows_no_link() throws IOException {
        Path outside = Files.createTempDirectory("outside");
        Path victim = Files.writeString(outside.resolve("victim"), "untouched");
        Files.createSymbolicLink(directory.resolve("link"), victim);
        Files.createSymbolicLink(directory.resolve("folder"), outside);
        Files.createSymbolicLink(directory.resolve("dangling"), outside.resolve("new"));
        for (String name : new String[] {"link", "folder/victim", "folder/new", "dangling"}) {
            assertThatThrownBy(() -> new OutputFiles(directory).save(name, CONTENT))
                    .isInstanceOf(OutputLost.class)
                    .hasMessageContaining("symbolic link");
        }
        assertThat(victim).hasContent("untouched");
        assertThat(outside.resolve("new")).doesNotExist();
        Files.delete(victim);
        Files.delete(outside);
    }

    @Test
    @Timeout(10)
    void opens_no_fifo() throws IOException, InterruptedException {
        String fifo = directory.resolve("fifo").toString();
        assertThat(new ProcessBuilder("mkfifo", fifo).start().waitFor()).isZero();
        assertThatThrownBy(() -> new OutputFiles(directory).save("fifo", CONTENT))
                .isInstanceOf(OutputLost.class)
                .hasMessageContaining("FIFO");
    }

    @Test
    void replaces_no_directory() throws IOException {
        Files.createDirectory(directory.resolve("d"));
        assertThatThrownBy(() -> new OutputFiles(directory).save("d", CONTENT))
                .isInstanceOf(OutputLost.class)
                .hasMessageContaining("is a directory");
    }
}
