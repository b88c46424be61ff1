package dev.glovebox.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What {@code --otel console} prints. */
class ConsoleTest {

    private static String printed(Tape tape, Blob stderr) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (Telemetry telemetry =
                Telemetry.console(
                        new PrintStream(out, true, UTF_8), digest -> Optional.of(stderr))) {
            tape.play(telemetry);
        }
        return out.toString(UTF_8).replace(System.lineSeparator(), "\n");
    }

    @Test
    void a_run_is_a_tree_with_its_root_at_the_bottom() {
        Blob stderr = Tape.blob("division by zero\n");

        assertThat(printed(Tape.coder("run-1", stderr.reference(BlobRef.TEXT)), stderr))
                .isEqualTo(
                        """
                            chat gpt-4o  1.50 s  gen_ai.provider.name=openai  gen_ai.response.model=gpt-4o-2024  gen_ai.usage.input_tokens=1200  gen_ai.usage.output_tokens=80
                          glovebox.node planner  1.51 s  glovebox.edge=agent
                              sandbox.exec  30.0 ms  ERROR  sandbox.tier=jail  sandbox.exit_code=1  sandbox.stdout_bytes=17  sandbox.stderr_preview="division by zero\\n"  error.type=exited
                            execute_tool run_python  33.0 ms
                          glovebox.node agent  35.0 ms  glovebox.edge=end
                        invoke_workflow coder  1.54 s  OK  glovebox.run.id=run-1  glovebox.stop=completed
                        """);
    }

    @Test
    void what_a_program_wrote_cannot_play_with_the_terminal() {
        Blob stderr = Tape.blob("\u001b[2Jgone\rx\u202ey\u2028");

        assertThat(printed(Tape.coder("run-1", stderr.reference(BlobRef.TEXT)), stderr))
                .contains("sandbox.stderr_preview=\\u001b[2Jgone\\u000dx\\u202ey\\u2028");
    }

    @Test
    void a_run_that_does_not_end_is_printed_when_telemetry_is_closed() {
        assertThat(printed(new Tape("run-1").starts("exec").enters(1500, "a"), Tape.blob("")))
                .isEqualTo(
                        """
                          glovebox.node a  0.0 ms  glovebox.unfinished=true
                        invoke_workflow exec  1.50 s  glovebox.run.id=run-1  glovebox.unfinished=true
                        """);
    }
}
