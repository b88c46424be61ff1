package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Remembers versions of programs between JVMs: asking an interpreter takes as long as running a
 * small program with it. A program that was replaced has another size or time, and is asked again.
 */
final class VersionCache {

    private VersionCache() {}

    static String of(Path program, Function<Path, String> ask) {
        try {
            String key = key(program);
            Path file = Cache.folder().resolve("version-of-" + program.getFileName());
            Optional<String> known = read(file, key);
            return known.isPresent() ? known.get() : save(file, key, ask.apply(program));
        } catch (IOException e) {
            return ask.apply(program);
        }
    }

    private static String key(Path program) throws IOException {
        Path real = program.toRealPath();
        BasicFileAttributes attributes = Files.readAttributes(real, BasicFileAttributes.class);
        return real + " " + attributes.size() + " " + attributes.lastModifiedTime().toMillis();
    }

    private static Optional<String> read(Path file, String key) throws IOException {
        if (!Files.isReadable(file)) {
            return Optional.empty();
        }
        List<String> lines = Files.readAllLines(file);
        return lines.size() == 2 && lines.getFirst().equals(key)
                ? Optional.of(lines.getLast())
                : Optional.empty();
    }

    /** A place that cannot be written is no reason to fail: then the program is asked each time. */
    private static String save(Path file, String key, String version) {
        if (version.equals(Tools.UNKNOWN)) {
            return version;
        }
        try {
            Cache.write(file, List.of(key, version));
        } catch (IOException e) {
            return version;
        }
        return version;
    }
}
