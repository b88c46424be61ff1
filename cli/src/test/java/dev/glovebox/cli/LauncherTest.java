package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that starts the command, with a Java that only tells what it was given. */
class LauncherTest {

    private static final Path REPOSITORY = Path.of("..");

    @TempDir Path root;

    /** What the script takes for a command that was built. */
    @BeforeEach
    void build() throws IOException {
        assumeThat(REPOSITORY.resolve("glovebox")).exists();
        Files.copy(REPOSITORY.resolve("glovebox"), root.resolve("glovebox"));
        Files.createDirectories(root.resolve("build"));
        Files.copy(REPOSITORY.resolve("build/common.sh"), root.resolve("build/common.sh"));
        Files.createFile(root.resolve("pom.xml"));
        Files.createDirectories(root.resolve("module/src/main"));
        Files.createFile(root.resolve("module/pom.xml"));
        Path home = Files.createDirectories(root.resolve("cli/target/glovebox/app"));
        Path jdk = root.resolve("jdk");
        Files.createDirectories(jdk.resolve("bin"));
        Files.createFile(jdk.resolve("release"));
        Files.writeString(
                jdk.resolve("bin/java"),
                """
                #!/bin/bash
                for number in 0 1 2; do
                  readlink "/proc/$$/fd/$number" >>"$SEEN" || echo closed >>"$SEEN"
                done
                echo "$LC_ALL ${GLOVEBOX_LOG-unset}" >"$SEEN.environment"
                """);
        Files.setPosixFilePermissions(
                jdk.resolve("bin/java"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(home.resolveSibling("stamp"), "app\n" + jdk + "\n\n");
    }

    @Test
    void java_finds_no_stream_closed_and_takes_no_file_of_its_own_for_one() throws Exception {
        assertThat(seen("<&- >&- 2>&-")).containsExactly("/dev/null", "/dev/null", "/dev/null");
    }

    @Test
    void open_streams_are_passed_on() throws Exception {
        Path in = Files.createFile(root.resolve("in")).toRealPath();
        Path out = root.toRealPath().resolve("out");
        assertThat(seen("<\"$IN\" >\"$OUT\" 2>>\"$OUT\""))
                .containsExactly(in.toString(), out.toString(), out.toString());
    }

    /** A locale that is only named would lose all that is not ASCII. */
    @Test
    void java_reads_utf_8_whatever_locale_is_named_and_an_empty_level_is_none() throws Exception {
        var _ = seen("");
        assertThat(root.resolve("seen.environment")).hasContent("C.UTF-8 unset");
    }

    @Test
    void a_machine_without_bubblewrap_may_have_other_walls() throws Exception {
        Path path = Files.createDirectory(root.resolve("path"));
        for (String tool : List.of("bash", "find", "readlink")) {
            Files.createSymbolicLink(path.resolve(tool), Path.of("/usr/bin", tool));
        }
        ProcessBuilder builder =
                new ProcessBuilder(root.resolve("glovebox").toString(), "exec", "hello.js");
        builder.environment().remove("JAVA_HOME");
        builder.environment()
                .putAll(
                        Map.of(
                                "PATH",
                                path.toString(),
                                "GLOVEBOX_NO_INSTALL",
                                "1",
                                "SEEN",
                                root.resolve("seen").toString()));
        assertThat(builder.start().waitFor()).isZero();
        assertThat(root.resolve("seen")).exists();
    }

    @Test
    void a_build_that_failed_is_told_with_the_reason_that_maven_gave() throws Exception {
        Path log =
                Files.writeString(
                        root.resolve("build.log"),
                        """
                        \033[0m\033[0m[ERROR] Could not create local repository at /x -> [Help 1]
                        [ERROR]\s
                        [ERROR] Re-run Maven using the -X switch to enable full debug logging.
                        \033[0m
                        """);
        Process told =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                "root=$1; source \"$root/build/command.sh\"; build_errors \"$2\"",
                                "bash",
                                REPOSITORY.toString(),
                                log.toString())
                        .start();
        assertThat(told.getInputStream().readAllBytes())
                .asString()
                .isEqualTo("Could not create local repository at /x\n");
    }

    /** The names of its first three descriptors. */
    private List<String> seen(String streams) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder("bash", "-c", "\"$GLOVEBOX\" --version " + streams);
        builder.environment().remove("JAVA_HOME");
        builder.environment().put("GLOVEBOX", root.resolve("glovebox").toString());
        builder.environment().put("GLOVEBOX_NO_INSTALL", "1");
        builder.environment().put("GLOVEBOX_LOG", "");
        builder.environment().put("LC_ALL", "xx_XX.UTF-8");
        builder.environment().put("SEEN", root.resolve("seen").toString());
        builder.environment().put("IN", root.resolve("in").toString());
        builder.environment().put("OUT", root.resolve("out").toString());
        assertThat(builder.start().waitFor()).isZero();
        return Files.readAllLines(root.resolve("seen"));
    }
}
