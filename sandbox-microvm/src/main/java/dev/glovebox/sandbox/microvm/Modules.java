package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds modules of a kernel, and those that they need.
 *
 * <p>Each one says itself what it needs, and that changes within a release: {@code virtio} came to
 * need {@code virtio_ring} with a security update.
 */
final class Modules {

    private static final Pattern NEEDS = Pattern.compile("\0depends=([^\0]*)\0");
    private static final String SUFFIX = ".ko";

    private final List<Path> files;
    private final Map<String, byte[]> found = new LinkedHashMap<>();

    private Modules(List<Path> files) {
        this.files = files;
    }

    /** The files of these modules by name, in an order in which a kernel takes them. */
    static Map<String, byte[]> of(Path folder, List<String> wanted) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            Modules modules = new Modules(all.toList());
            for (String name : wanted) {
                modules.add(name);
            }
            return modules.found;
        }
    }

    private void add(String name) throws IOException {
        if (found.containsKey(name)) {
            return;
        }
        Path file =
                files.stream()
                        .filter(path -> path.endsWith(name + SUFFIX))
                        .findFirst()
                        .orElseThrow(() ->
                                new NotEnforceable("image", "The kernel has no module " + name));
        byte[] content = Files.readAllBytes(file);
        for (String other : needs(content)) {
            add(other);
        }
        found.put(name, content);
    }

    private static List<String> needs(byte[] module) {
        Matcher words = NEEDS.matcher(new String(module, StandardCharsets.ISO_8859_1));
        return words.find() && !words.group(1).isEmpty()
                ? List.of(words.group(1).split(","))
                : List.of();
    }
}
