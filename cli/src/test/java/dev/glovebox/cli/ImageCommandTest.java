package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImageCommandTest {

    private @TempDir Path directory;

    @Test
    void it_is_said_what_to_do_with_an_image() {
        Cli.Ran ran = Cli.in(directory).run("image");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.stderr()).contains("glovebox image build");
    }

    @Test
    void nothing_else_can_be_done_with_one() {
        assertThat(Cli.in(directory).run("image", "build", "more").exit()).isEqualTo(2);
        assertThat(Cli.in(directory).run("image", "delete").exit()).isEqualTo(2);
    }

    @Test
    void the_help_says_where_packages_come_from() {
        Cli.Ran ran = Cli.in(directory).run("image", "--help");
        assertThat(ran.exit()).isZero();
        assertThat(ran.out()).contains("the package manager is configured");
    }

    @Test
    void an_unknown_option_is_bad_usage() {
        Cli.Ran ran = Cli.in(directory).run("image", "build", "--fast");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.stderr()).contains("--fast");
    }
}
