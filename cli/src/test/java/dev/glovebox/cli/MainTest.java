package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The words that are not about a box. */
class MainTest {

    private final Cli cli = Cli.in(Path.of(""));

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

    @Test
    void nothing_and_nonsense_are_bad_usage() {
        assertThat(cli.run()).extracting(Cli.Ran::exit, Cli.Ran::out).containsExactly(2, "");
        assertThat(cli.run("frob")).extracting(Cli.Ran::exit, Cli.Ran::out).containsExactly(2, "");
        assertThat(cli.run("frob").stderr()).startsWith("glovebox: There is no command 'frob'");
    }
}
