package dev.glovebox.sandbox.microvm;

import static java.util.stream.Collectors.joining;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Programs of the host, found in the system's own folders only.
 *
 * <p>The attack: a PATH names the current folder, as some do, and somebody has put a program there
 * that is called like one of the system's. It would run outside of every box, often as root.
 */
final class Tool {

    private static final List<Path> FOLDERS =
            List.of(
                    Path.of("/usr/bin"),
                    Path.of("/usr/sbin"),
                    Path.of("/bin"),
                    Path.of("/sbin"),
                    Path.of("/usr/local/bin"));

    private Tool() {}

    static Optional<Path> find(String name) {
        return FOLDERS.stream()
                .map(folder -> folder.resolve(name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /**
     * A program that is about to be started; what it starts in turn is the system's own as well.
     */
    static ProcessBuilder starting(List<String> words) {
        Path program =
                find(words.getFirst())
                        .orElseThrow(() ->
                                new NotEnforceable(
                                        "image", "The system has no program " + words.getFirst()));
        ProcessBuilder builder =
                new ProcessBuilder(
                        Stream.concat(Stream.of(program.toString()), words.stream().skip(1))
                                .toList());
        builder.environment()
                .put("PATH", FOLDERS.stream().map(Path::toString).collect(joining(":")));
        return builder;
    }

    /** Runs a program to its end and gives what it said; empty if it failed or took too long. */
    static Optional<String> output(Duration most, List<String> words) {
        try {
            Path said = Files.createTempFile("glovebox-", ".out");
            try {
                Process process =
                        starting(words)
                                .redirectInput(Path.of("/dev/null").toFile())
                                .redirectErrorStream(true)
                                .redirectOutput(said.toFile())
                                .start();
                boolean ended = ended(process, most);
                return ended && process.exitValue() == 0
                        ? Optional.of(Files.readString(said))
                        : Optional.empty();
            } finally {
                Files.delete(said);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for the end of a process, and kills it if that does not come in time. */
    static boolean ended(Process process, Duration most) {
        boolean ended = false;
        try {
            ended = process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!ended) {
            process.destroyForcibly();
        }
        return ended;
    }
}
