package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Nonsense gets one clear sentence, and nothing is started. */
class BadInputTest {

    @TempDir Path directory;

    @BeforeEach
    void someFiles() throws IOException {
        Files.writeString(directory.resolve("a.py"), "print(1)");
        Files.writeString(directory.resolve("data"), "no source");
        Files.writeString(directory.resolve("bad.yaml"), "limits:\n  memroy: 1MiB\n");
        Files.writeString(directory.resolve("nonsense.yaml"), "limits: {memory: -3}\n");
        Files.createDirectory(directory.resolve("folder"));
        Files.createSymbolicLink(directory.resolve("link"), Path.of("/etc"));
        Files.write(directory.resolve("large"), new byte[70_000_000]);
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                mistake("What is to be run?"),
                mistake("There is no tier 'nope'", "--tier", "nope", "a.py"),
                mistake("Unknown language 'perl'", "--lang", "perl", "a.py"),
                mistake("'12q' is not an amount of bytes", "--memory", "12q", "a.py"),
                mistake("from 4MiB to 4TiB", "--memory", "1", "a.py"),
                mistake("'10' is not a duration", "--timeout", "10", "a.py"),
                mistake("'wall' is too short", "--timeout", "0s", "a.py"),
                mistake("only once", "--timeout", "1s", "--timeout", "2s", "a.py"),
                mistake("--timeout", "--timeout"),
                mistake("--otel knows 'console' only", "--otel", "jaeger", "a.py"),
                mistake("did you mean --memory", "--memroy", "1m", "a.py"),
                mistake("'A' is not NAME=VALUE", "--env", "A", "a.py"),
                mistake("'1A' is not an environment variable", "--env", "1A=b", "a.py"),
                mistake("'host' is not HOST:PORT", "--allow", "host", "a.py"),
                mistake("There is no file 'gone.py'", "gone.py"),
                mistake("is a directory", "folder"),
                mistake("the language of 'data'", "data"),
                mistake("--lang is for source code", "--lang", "python", "--", "true"),
                mistake("needs a --lang", "-"),
                mistake("--in", "--in", "gone", "a.py"),
                mistake("is a directory", "--in", "folder", "a.py"),
                mistake("disk limit is 64MiB", "--in", "large", "a.py"),
                mistake("two files at 'data'", "--in", "data", "--in", "a.py:data", "a.py"),
                mistake("the name of the program itself", "--in", "a.py", "a.py"),
                mistake("relative path", "--in", "data:../x", "a.py"),
                mistake("relative path", "--out", "../x", "a.py"),
                mistake("relative path", "--out", "/x", "a.py"),
                mistake("is a directory", "--out", "folder", "a.py"),
                mistake("symbolic link", "--out", "link/x", "a.py"),
                mistake("bad.yaml:2:3", "--policy", "bad.yaml", "a.py"),
                mistake("nonsense.yaml:1:", "--policy", "nonsense.yaml", "a.py"),
                mistake("gone.yaml", "--policy", "gone.yaml", "a.py"),
                mistake("No box may see", "--mount", "/etc:/data", "a.py"),
                mistake("No box may see", "--mount", "link:/data", "a.py"),
                mistake("HOST:BOX", "--mount", "folder", "a.py"));
    }

    private static Arguments mistake(String said, String... arguments) {
        return Arguments.of(said, List.of(arguments));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void gets_one_sentence(String said, List<String> arguments) {
        Cli.Ran ran = run(List.of("exec"), arguments);
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.stdout()).isEmpty();
        assertThat(ran.stderr()).startsWith("glovebox: ").contains(said).endsWith("\n");
        assertThat(ran.stderr().lines()).hasSize(1);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void gets_one_document_when_json_was_asked_for(String said, List<String> arguments)
            throws IOException {
        Cli.Ran ran = run(List.of("exec", "--json"), arguments);
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.json().at("/error/message").asText()).contains(said);
        assertThat(ran.json().at("/error/type").asText()).isNotEqualTo("internal");
        assertThat(ran.stderr().lines()).hasSize(1);
    }

    private Cli.Ran run(List<String> command, List<String> arguments) {
        List<String> all = new ArrayList<>(command);
        all.addAll(arguments);
        return Cli.in(directory).run(all.toArray(String[]::new));
    }
}
