package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
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
        Cli.Ran ran = Cli.await(begunWith(Late.class, words.split(" ")).start());

        assertThat(ran.stderr()).isEqualTo("glovebox: interrupted\n");
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("interrupted");
    }

    /** Fails as if its program had heard of Ctrl-C, which itself hears of it a little later. */
    static final class Slow {

        private Slow() {}

        public static void main(String[] words) {
            String own = Long.toString(ProcessHandle.current().pid());
            System.exit(
                    Interruption.during(
                            Shell.ofThisProcess(),
                            true,
                            interruption -> {
                                try {
                                    var _ = new ProcessBuilder("kill", "-INT", own).start();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                                throw new IllegalStateException("its program has ended");
                            }));
        }
    }

    @Test
    void what_fails_just_before_it_comes_has_not_failed() throws IOException, InterruptedException {
        Cli.Ran ran = Cli.await(begunWith(Slow.class).start());

        assertThat(ran.stderr()).isEqualTo("glovebox: interrupted\n");
        assertThat(ran.json().at("/error/type").asText()).isEqualTo("interrupted");
        assertThat(ran.exit()).isEqualTo(ExecCommand.CANCELLED);
    }

    /** The process of a command, which begins with a class of this test. */
    private ProcessBuilder begunWith(Class<?> main, String... words) {
        ProcessBuilder process = Cli.in(directory).process(words);
        List<String> command = new ArrayList<>(process.command());
        command.replaceAll(word -> word.equals(Main.class.getName()) ? main.getName() : word);
        process.environment().put("GLOVEBOX_HOME", directory.resolve(Cli.HOME).toString());
        return process.command(command);
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
        // So that it can be told together with its programs, as a terminal does it.
        command.addFirst("setsid");
        Process process = builder.command(command).start();
        BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
        String last = said.readLine();
        while (last != null && !last.contains("warming up: bare") && !last.contains("box alone")) {
            last = said.readLine();
        }
        new ProcessBuilder("kill", "-INT", "--", "-" + process.pid()).start().waitFor();

        JsonNode json = new JsonMapper().readTree(process.getInputStream());
        assertThat(process.waitFor()).isEqualTo(ExecCommand.CANCELLED);
        assertThat(json.at("/error/type").asText()).isEqualTo("interrupted");
        assertThat(said.lines()).contains("glovebox: interrupted");
        assertThat(folder).isDirectoryNotContaining("glob:**/glovebox-bench*");
    }
}
