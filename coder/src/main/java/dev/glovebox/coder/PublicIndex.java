package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where a client goes that nobody has configured: the client itself knows best.
 *
 * @param url of the index
 * @param files hosts that keep the files of the index, where that does not
 */
record PublicIndex(String url, List<String> files) {

    private static final Map<Language, List<String>> ASKING =
            Map.of(
                    Language.PYTHON,
                    List.of(
                            "python3",
                            // Without variables and folders that bring another pip.
                            "-I",
                            "-c",
                            "from pip._internal.models.index import PyPI as index;"
                                    + " print(index.simple_url); print(index.file_storage_domain)"),
                    Language.JAVASCRIPT,
                    List.of("npm", "config", "get", "registry"));

    // It takes half a second to ask, and does not change while a process lives. A question that was
    // not answered, as when somebody was interrupted, is asked again.
    private static final Map<Language, PublicIndex> KNOWN = new ConcurrentHashMap<>();

    PublicIndex {
        files = List.copyOf(files);
    }

    /** That of a language's client; empty: the client is not here, or does not say. */
    static Optional<PublicIndex> of(Language language) {
        Optional<PublicIndex> index =
                Optional.ofNullable(KNOWN.get(language)).or(() -> asked(language));
        index.ifPresent(known -> KNOWN.put(language, known));
        return index;
    }

    private static Optional<PublicIndex> asked(Language language) {
        List<String> command = ASKING.get(language);
        List<String> lines = command == null ? List.of() : HostQuestion.answer(command);
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(new PublicIndex(lines.getFirst(), lines.subList(1, lines.size())));
    }

    /** Whether an address is on its host. */
    boolean isAt(String host) {
        return url.contains("//" + host + "/") || url.endsWith("//" + host);
    }
}
