package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Where a client goes that nobody has configured: the client itself knows best.
 *
 * @param url of the index
 * @param files hosts that keep the files of the index, where that does not
 */
record PublicIndex(String url, List<String> files) {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Map<Language, List<String>> ASKING =
            Map.of(
                    Language.PYTHON,
                    List.of(
                            "python3",
                            "-c",
                            "from pip._internal.models.index import PyPI as index;"
                                    + " print(index.simple_url); print(index.file_storage_domain)"),
                    Language.JAVASCRIPT,
                    List.of("npm", "config", "get", "registry"));

    // It takes half a second to ask, and does not change while a process lives.
    private static final Map<Language, Optional<PublicIndex>> KNOWN = new ConcurrentHashMap<>();

    PublicIndex {
        files = List.copyOf(files);
    }

    /** That of a language's client; empty: the client is not here, or does not say. */
    static Optional<PublicIndex> of(Language language) {
        return KNOWN.computeIfAbsent(language, PublicIndex::asked);
    }

    private static Optional<PublicIndex> asked(Language language) {
        List<String> command = ASKING.get(language);
        if (command == null) {
            return Optional.empty();
        }
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            if (!process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            List<String> lines =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(String::strip)
                            .filter(line -> !line.isEmpty())
                            .toList();
            return lines.isEmpty() || process.exitValue() != 0
                    ? Optional.empty()
                    : Optional.of(
                            new PublicIndex(lines.getFirst(), lines.subList(1, lines.size())));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Whether an address is on its host. */
    boolean isAt(String host) {
        return url.contains("//" + host + "/") || url.endsWith("//" + host);
    }
}
