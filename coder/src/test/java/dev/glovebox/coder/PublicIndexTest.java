package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Language;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The clients are asked on the host, so nothing that somebody else wrote may answer for them. */
class PublicIndexTest {

    private static final String ELSEWHERE = "http://10.66.66.66/";

    @TempDir private Path folder;

    /** Asks in a process of its own, since only that can be in another folder. */
    static final class Asking {

        private Asking() {}

        public static void main(String[] words) {
            Language language = Language.valueOf(words[0]);
            if (words.length > 1) {
                Thread.currentThread().interrupt();
                assertThat(known(language)).isEmpty();
                assertThat(Thread.interrupted()).isTrue();
            }
            System.out.print(known(language));
        }
    }

    private String asked(Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        String classes =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator));
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "-cp",
                                classes,
                                Asking.class.getName())
                        .directory(folder.toFile());
        builder.command().addAll(List.of(words));
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return said;
    }

    /** Where the client of this machine goes; empty: it has none. */
    private static String known(Language language) {
        return PublicIndex.of(language).map(PublicIndex::url).orElse("");
    }

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private void writePip() throws IOException {
        String attack = "open('%s', 'w').close()\n".formatted(folder.resolve("taken"));
        write("pip/__init__.py", attack);
        write("pip/_internal/__init__.py", attack);
        write("pip/_internal/models/__init__.py", attack);
        write(
                "pip/_internal/models/index.py",
                """
                class PyPI:
                    simple_url = '%s'
                    file_storage_domain = '10.66.66.66'
                """
                        .formatted(ELSEWHERE));
    }

    @Test
    void nothingOfTheCurrentFolderIsRunToAskPip() throws Exception {
        writePip();
        assertThat(asked(Map.of(), "PYTHON")).isEqualTo(known(Language.PYTHON));
        assertThat(folder.resolve("taken")).doesNotExist();
    }

    @Test
    void noVariableOfPythonSaysWhichPipIsAsked() throws Exception {
        writePip();
        assertThat(asked(Map.of("PYTHONPATH", folder.toString()), "PYTHON"))
                .isEqualTo(known(Language.PYTHON));
        assertThat(folder.resolve("taken")).doesNotExist();
    }

    @Test
    void noProgramOfTheCurrentFolderIsAskedThoughThePathNamesThatFolder() throws Exception {
        for (String name : List.of("python3", "npm", "node")) {
            Path program =
                    write(
                            name,
                            "#!/bin/sh\ntouch %s\necho %s\n"
                                    .formatted(folder.resolve("taken"), ELSEWHERE));
            assertThat(program.toFile().setExecutable(true)).isTrue();
        }
        Map<String, String> path =
                Map.of("PATH", ".:" + Optional.ofNullable(System.getenv("PATH")).orElse(""));
        assertThat(asked(path, "PYTHON")).isEqualTo(known(Language.PYTHON));
        assertThat(asked(path, "JAVASCRIPT")).isEqualTo(known(Language.JAVASCRIPT));
        assertThat(folder.resolve("taken")).doesNotExist();
    }

    @Test
    void theSettingsOfAProjectDoNotSayWhereNpmGoes() throws Exception {
        write("package.json", "{}");
        write(".npmrc", "registry=" + ELSEWHERE + "\n");
        assertThat(asked(Map.of(), "JAVASCRIPT")).isEqualTo(known(Language.JAVASCRIPT));
    }

    @Test
    void noCodeThatIsMeantForOtherProgramsIsRunToAskNpm() throws Exception {
        Path hook =
                write(
                        "hook.js",
                        "require('fs').writeFileSync('%s', '')".formatted(folder.resolve("taken")));
        assertThat(asked(Map.of("NODE_OPTIONS", "--require=" + hook), "JAVASCRIPT"))
                .isEqualTo(known(Language.JAVASCRIPT));
        assertThat(folder.resolve("taken")).doesNotExist();
    }

    @Test
    void whoWasInterruptedDoesNotAnswerForTheOthers() throws Exception {
        assertThat(asked(Map.of(), "PYTHON", "interrupted")).isEqualTo(known(Language.PYTHON));
    }

    @Test
    void aProgramWhoseAnswerNobodyAwaitsIsEnded() throws Exception {
        Path pid = folder.resolve("pid");
        String sleeper = "echo $$ > %s.new; mv %s.new %s; exec sleep 600".formatted(pid, pid, pid);
        Thread asking =
                Thread.ofPlatform().start(() -> HostQuestion.answer(List.of("sh", "-c", sleeper)));
        while (Files.notExists(pid)) {
            Thread.sleep(5);
        }
        Optional<ProcessHandle> program =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()));
        asking.interrupt();
        asking.join();
        assertThat(program.stream()).allSatisfy(one -> one.onExit().get(60, TimeUnit.SECONDS));
    }
}
