package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ctrl-C before a command could make ready for it, and while it measures. */
@Timeout(120)
class InterruptionTest {

    @TempDir private Path directory;

    /** Begins with a command when the JVM is on its way out. */
    static final class Late {

        private Late() {}

        public static void main(String[] words) {
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> new Main(Shell.ofThisProcess()).run(words)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec --json -- true", "run --json primes"})
    void it_is_told_as_what_it_is(String words) throws IOException, InterruptedException {
        ProcessBuilder process = Cli.in(directory).process(words.split(" "));
        List<String> command = new ArrayList<>(process.command());
        command.replaceAll(word -> word.equals(Main.class.getName()) ? Late.class.getName() : word);
        process.command(command);
        process.environment().put("GLOVEBOX_HOME", directory.resolve(Cli.HOME).toString());

        Cli.Ran ran = Cli.await(process.start());

        assertThat(ran.stderr()).isEqualTo("glovebox: interrupted\n");
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("interrupted");
    }

    @ParameterizedTest
    @ValueSource(strings = {"exec", "run"})
    void a_measurement_leaves_no_folder_behind(String what)
            throws IOException, InterruptedException {
        Cli.needs("jail");
        Path folder = Files.createDirectory(directory.resolve("tmp"));
        ProcessBuilder builder = Cli.in(directory).process("bench", what, "--json");
        List<String> command = new ArrayList<>(builder.command());
        command.add(command.indexOf("-cp"), "-Djava.io.tmpdir=" + folder);
        Process process = builder.command(command).start();
        BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
        String last = said.readLine();
        while (last != null && !last.contains("warming up: bare") && !last.contains("box alone")) {
            last = said.readLine();
        }
        new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor();

        JsonNode json = new JsonMapper().readTree(process.getInputStream());
        assertThat(process.waitFor()).isEqualTo(ExecCommand.CANCELLED);
        assertThat(json.at("/error/type").asText()).isEqualTo("interrupted");
        assertThat(said.lines()).contains("glovebox: interrupted");
        assertThat(folder).isDirectoryNotContaining("glob:**/glovebox-bench*");
    }
}
