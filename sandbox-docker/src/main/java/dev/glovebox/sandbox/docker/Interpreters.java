package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The interpreters of an image, asked in a box of it, once for each. */
final class Interpreters {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    /** An interpreter's version never changes: an image is named by its digest here. */
    private static final Map<List<String>, Optional<String>> VERSIONS = new ConcurrentHashMap<>();

    private final String image;
    private final Facts facts;
    private final Holder holder;

    Interpreters(String image, Facts facts, Holder holder) {
        this.image = image;
        this.facts = facts;
        this.holder = holder;
    }

    Optional<Interpreter> find(Language language, Policy policy) {
        Path wanted = policy.runtime().get(language);
        String path =
                wanted != null
                        ? wanted.toString()
                        : facts.text(
                                switch (language) {
                                    case PYTHON -> "python3";
                                    case JAVASCRIPT -> "node";
                                    case BASH -> "bash";
                                });
        return path.isEmpty()
                ? Optional.empty()
                : version(path).map(found -> new Interpreter(language, Path.of(path), found));
    }

    private Optional<String> version(String path) {
        List<String> key = List.of(image, path);
        Optional<String> known = VERSIONS.get(key);
        if (known == null) {
            known = ask(path);
            VERSIONS.put(key, known);
        }
        return known;
    }

    /** The number in the first line of what it says about itself. */
    private Optional<String> ask(String path) {
        return Errand.run(holder, List.of(path, "--version"), PATIENCE)
                .map(output -> new String(output, StandardCharsets.UTF_8))
                .flatMap(text -> text.lines().findFirst())
                .map(line -> line.replaceAll("^[^0-9]*([0-9][0-9.]*).*", "$1"));
    }
}
