package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Code, and how to run it.
 *
 * @param files texts by their names, relative to where the program runs
 * @param entry the one that is run
 * @param dependencies what is installed before, by the names of the language's index
 * @param arguments of the program
 */
public record CodeArtifact(
        Language language,
        SortedMap<String, String> files,
        String entry,
        List<String> dependencies,
        List<String> arguments) {

    public CodeArtifact {
        files = new TreeMap<>(files);
        dependencies = List.copyOf(dependencies);
        arguments = List.copyOf(arguments);
        if (!files.containsKey(entry)) {
            throw new IllegalArgumentException("There is no file " + entry + " to be run");
        }
    }

    /** One file. */
    public static CodeArtifact of(Language language, String source) {
        return of(language, language.filename(), source);
    }

    /** One file of that name. */
    public static CodeArtifact of(Language language, String name, String source) {
        SortedMap<String, String> only = new TreeMap<>(Map.of(name, source));
        return new CodeArtifact(language, only, name, List.of(), List.of());
    }

    /** What the file says that is run. */
    public String source() {
        return Objects.requireNonNull(files.get(entry));
    }

    public CodeArtifact source(String text) {
        return file(entry, text);
    }

    /** With a file, be it a new one. */
    public CodeArtifact file(String name, String text) {
        SortedMap<String, String> more = new TreeMap<>(files);
        more.put(name, text);
        return new CodeArtifact(language, more, entry, dependencies, arguments);
    }

    public CodeArtifact dependencies(List<String> names) {
        return new CodeArtifact(language, files, entry, names, arguments);
    }
}
