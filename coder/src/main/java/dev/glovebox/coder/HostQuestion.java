package dev.glovebox.coder;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Asks a program of the host, which no wall confines, so that nobody else answers for it.
 *
 * <p>Programs load code and settings of the folder that they are started in, and of those above it;
 * a PATH may name that folder too. So they are started in one that nobody can have filled.
 */
final class HostQuestion {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Path NOBODYS = Path.of("/");

    // None that makes an interpreter load more than it is asked to.
    private static final Set<String> NEEDED = Set.of("PATH", "HOME", "USER", "LANG", "TMPDIR");
    private static final String NPM = "NPM_CONFIG_";

    private HostQuestion() {}

    /** The lines that a program answers; none if it is not here, fails or takes too long. */
    static List<String> answer(List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(NOBODYS.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().keySet().removeIf(name -> !isNeeded(name));
        try {
            return answer(builder.start());
        } catch (IOException e) {
            return List.of();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return List.of();
        }
    }

    private static List<String> answer(Process process) throws IOException, InterruptedException {
        try {
            process.getOutputStream().close();
            return process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                            && process.exitValue() == 0
                    ? lines(process)
                    : List.of();
        } finally {
            process.destroyForcibly();
        }
    }

    private static boolean isNeeded(String name) {
        return NEEDED.contains(name) || name.toUpperCase(Locale.ROOT).startsWith(NPM);
    }

    private static List<String> lines(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
