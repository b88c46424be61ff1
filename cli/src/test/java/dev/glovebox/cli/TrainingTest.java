package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrainingTest {

    @TempDir Path folder;

    @Test
    void all_commands_run_in_one_process() throws Exception {
        Cli.Ran ran = train("--version", "+", "frob", "+", "--version");

        assertThat(ran.out()).hasLineCount(2);
        assertThat(ran.stderr()).contains("There is no command 'frob'");
        assertThat(ran.exit()).isZero();
    }

    @Test
    void it_ends_as_the_last_command_does() throws Exception {
        assertThat(train("--version", "+", "frob").exit()).isEqualTo(Main.USAGE);
    }

    private Cli.Ran train(String... words) throws IOException, InterruptedException {
        ProcessBuilder process = Cli.in(folder).process(words);
        List<String> command = process.command();
        command.set(command.indexOf(Main.class.getName()), Training.class.getName());
        return Cli.await(process.start());
    }
}
