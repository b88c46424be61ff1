package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.coder.PipelineLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One line that changes is for somebody who sees it change. */
@Timeout(60)
class RunProgressTest {

    private static final PipelineLog.Line LINE =
            new PipelineLog.Line(
                    Instant.EPOCH, "run-1", Optional.empty(), 0, 3, "Execution failed", true);

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource({"true, true, dumb", "true, false, xterm", "false, true, xterm"})
    void elsewhere_there_are_lines_without_anything_for_a_terminal(
            boolean out, boolean error, String term) {
        tell(shell(out, error, term));
        assertThat(told()).startsWith("[Pipeline ").endsWith("] Execution failed\n");
    }

    @Test
    void on_a_terminal_the_line_ends_where_the_terminal_does() throws InterruptedException {
        Shell shell = shell(true, true, "xterm");
        try (RunProgress progress = RunProgress.of(shell, false, null)) {
            progress.accept(LINE);
            while (!told().contains(" s")) {
                Thread.sleep(10);
            }
        }
        assertThat(told())
                .startsWith("\r\033[K")
                .containsPattern(
                        "\r\033\\[K\033\\[\\?7l.*Execution failed.* s.*\033\\[\\?7h\r\033\\[K");
    }

    private static void tell(Shell shell) {
        try (RunProgress progress = RunProgress.of(shell, false, null)) {
            progress.accept(LINE);
        }
    }

    private String told() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private Shell shell(boolean out, boolean error, String term) {
        return new Shell(
                new ByteArrayInputStream(new byte[0]),
                new ByteArrayOutputStream(),
                err,
                Path.of(""),
                Map.of("TERM", term),
                () -> out,
                () -> error);
    }
}
