package dev.glovebox.sandbox.docker;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the holder read inside the box before any program ran.
 *
 * @param texts files of the kernel by path, and answers by name
 */
record Facts(Map<String, String> texts) {

    private static final String GROUP = "/sys/fs/cgroup/";
    private static final long UNLIMITED = 1L << 60;

    static Facts parse(byte[] greeting) {
        String[] fields = new String(greeting, StandardCharsets.UTF_8).split("\0", -1);
        Map<String, String> texts = new HashMap<>();
        for (int i = 0; i + 1 < fields.length; i += 2) {
            texts.put(fields[i], fields[i + 1].strip());
        }
        return new Facts(Map.copyOf(texts));
    }

    String text(String name) {
        return texts.getOrDefault(name, "");
    }

    List<String> lines(String name) {
        return text(name).lines().toList();
    }

    /** A line of {@code /proc/self/status}. */
    Optional<String> status(String name) {
        return lines("/proc/self/status").stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    /** The first of these files of the cgroup that holds a number; none if it says no limit. */
    OptionalLong group(List<String> files) {
        for (String file : files) {
            String text = text(GROUP + file);
            if (text.matches("\\d{1,18}") && Long.parseLong(text) < UNLIMITED) {
                return OptionalLong.of(Long.parseLong(text));
            }
        }
        return OptionalLong.empty();
    }

    /** Whether any of these files of the cgroup is there. */
    boolean tells(List<String> files) {
        return files.stream().anyMatch(file -> !groupText(file).isEmpty());
    }

    String groupText(String file) {
        return text(GROUP + file);
    }

    /** Whether the box sees its cgroup, and of which version. */
    Optional<String> groupVersion() {
        if (texts.containsKey(GROUP + "memory.max") && !groupText("memory.max").isEmpty()) {
            return Optional.of("cgroup v2");
        }
        return groupText("memory/memory.limit_in_bytes").isEmpty()
                ? Optional.empty()
                : Optional.of("cgroup v1");
    }
}
