package dev.glovebox.sandbox.microvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class ToolTest {

    private static final List<String> WORDS = List.of("env", "tar", "--version");

    /** Asks for a program of the system, as any Java program would and then as we do. */
    static final class Asking {

        private Asking() {}

        public static void main(String[] arguments) throws IOException {
            Process process = new ProcessBuilder(WORDS).start();
            System.out.write(process.getInputStream().readAllBytes());
            System.out.println("and");
            System.out.println(Tool.output(Duration.ofSeconds(20), WORDS).orElseThrow());
        }
    }

    @Test
    void aProgramOfTheCurrentFolderIsNotTakenForOneOfTheSystem(@TempDir Path folder)
            throws Exception {
        for (String name : List.of("env", "tar")) {
            Path planted = Files.writeString(folder.resolve(name), "#!/bin/sh\necho planted\n");
            Files.setPosixFilePermissions(planted, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Asking.class.getName())
                        .directory(folder.toFile())
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("PATH", ".:/usr/bin:/bin");
        String said =
                new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).startsWith("planted\nand\n");
        assertThat(said.substring("planted\nand\n".length()))
                .contains("tar")
                .doesNotContain("plant");
    }

    @Test
    void whatTheSystemDoesNotHaveIsNamed() {
        assertThatThrownBy(() -> Tool.starting(List.of("no-such-program", "x")))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("no-such-program");
    }
}
