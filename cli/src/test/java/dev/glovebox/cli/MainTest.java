package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words that are not about a box. */
class MainTest {

    private final Cli cli = Cli.in(Path.of(""));

    @TempDir Path home;

    @ParameterizedTest
    @ValueSource(strings = {"--help", "-h", "help"})
    void help_names_the_commands(String word) {
        Cli.Ran ran = cli.run(word);
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("exec", "doctor");
    }

    @Test
    void a_command_has_its_own_help() {
        assertThat(cli.run("help", "exec").out()).isEqualTo(cli.run("exec", "--help").out());
        assertThat(cli.run("exec", "--help").out()).contains("--timeout=TIME", "124");
    }

    @Test
    void the_version_is_one_line() {
        assertThat(cli.run("--version").out())
                .startsWith("glovebox ")
                .endsWith("\n")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "exec --help", "trace key", "trace list --json"})
    void who_reads_no_longer_is_not_told_of_it(String words) throws Exception {
        ProcessBuilder builder = Cli.in(home).process(words.split(" "));
        builder.environment().put("GLOVEBOX_HOME", home.toString());
        Process process = builder.start();
        process.getInputStream().close();
        assertThat(process.getErrorStream().readAllBytes()).asString().isEmpty();
        assertThat(process.waitFor()).isEqualTo(Main.NOBODY_READS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "exec --help", "trace key"})
    void who_has_no_room_for_the_answer_is_told(String words) throws Exception {
        ProcessBuilder builder = Cli.in(home).process(words.split(" "));
        builder.environment().put("GLOVEBOX_HOME", home.toString());
        Process process = builder.redirectOutput(new File("/dev/full")).start();
        assertThat(process.getErrorStream().readAllBytes())
                .asString()
                .isEqualTo("glovebox: The answer cannot be written: No space left on device\n");
        assertThat(process.waitFor()).isEqualTo(words.startsWith("exec") ? 125 : Main.USAGE);
    }

    @Test
    void nothing_and_nonsense_are_bad_usage() {
        assertThat(cli.run()).extracting(Cli.Ran::exit, Cli.Ran::out).containsExactly(2, "");
        assertThat(cli.run("frob")).extracting(Cli.Ran::exit, Cli.Ran::out).containsExactly(2, "");
        assertThat(cli.run("frob").stderr()).startsWith("glovebox: There is no command 'frob'");
        assertThat(cli.run("trace", "frob").stderr())
                .contains("no command 'trace frob'; glovebox trace --help shows");
    }

    @Test
    void words_that_java_could_not_read_are_refused_and_not_changed() {
        String read = new String(new byte[] {'a', (byte) 0xff}, StandardCharsets.UTF_8);
        Cli.Ran ran = cli.run("exec", "--json", "--", "echo", read);
        assertThat(ran.exit()).isEqualTo(ExecCommand.FAILED);
        assertThat(ran.stderr()).contains("not UTF-8").hasLineCount(1);
        assertThat(ran.out()).contains("\"type\":\"usage\"");
        assertThat(cli.run("trace", "show", read).exit()).isEqualTo(Main.USAGE);
    }

    @Test
    void how_much_is_logged_is_a_level_or_not_set() {
        for (String level : new String[] {"debug", "OFF", ""}) {
            Cli.Ran ran = in(home, level).run("trace", "list");
            assertThat(ran.exit()).as(level).isZero();
        }
        Cli.Ran ran = in(home, "loud").run("trace", "list");
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr())
                .startsWith("glovebox: GLOVEBOX_LOG is ERROR, WARN, INFO, DEBUG, TRACE or OFF")
                .contains("'loud'");
    }

    private static Cli in(Path home, String level) {
        return Cli.in(home).env(Map.of("GLOVEBOX_LOG", level));
    }
}
