package dev.glovebox.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All that boxes could leave behind on this machine, counted.
 *
 * @param counts how many there are of each kind of thing; descriptors by what they are
 */
public record Census(Map<String, Long> counts) {

    private static final String SOCKETS = "descriptors: socket:[N]";

    private static final Pattern OF_ENGINES = Pattern.compile("docker|netns|/overlay|/gb-");

    private static final int ROUNDS = 100;
    private static final long PAUSE_MILLIS = 100;

    /** Counts now. */
    public static Census take() throws IOException {
        Map<String, Long> counts = new TreeMap<>(descriptors());
        counts.put("threads", threads());
        counts.put("processes", ProcessHandle.current().descendants().count());
        counts.put("cgroups", (long) cgroups().size());
        counts.put("mounts", mounts());
        counts.put("temporary files", temporaryFiles());
        return new Census(counts);
    }

    /** As if there were some more connections: these may come. */
    Census expecting(int connections) {
        Map<String, Long> more = new TreeMap<>(counts);
        more.merge(SOCKETS, (long) connections, Long::sum);
        return new Census(more);
    }

    /** Waits for threads and processes that are just ending, then nothing may be more than here. */
    public void assertNothingWasAdded() throws IOException, InterruptedException {
        Map<String, Long> more = added();
        for (int i = 0; i < ROUNDS && !more.isEmpty(); i++) {
            Thread.sleep(PAUSE_MILLIS);
            more = added();
        }
        assertThat(more).as("left behind, of " + counts).isEmpty();
    }

    private Map<String, Long> added() throws IOException {
        Map<String, Long> more = new TreeMap<>();
        take().counts
                .forEach((kind, now) -> {
                    long plus = now - counts.getOrDefault(kind, 0L);
                    if (plus > 0) {
                        more.put(kind, plus);
                    }
                });
        return more;
    }

    private static Map<String, Long> descriptors() throws IOException {
        List<String> kinds = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path one : all.toList()) {
                try {
                    kinds.add(kind(Files.readSymbolicLink(one).toString()));
                } catch (IOException e) {
                    // That of the listing itself.
                }
            }
        }
        return kinds.stream().collect(Collectors.groupingBy(kind -> kind, Collectors.counting()));
    }

    private static String kind(String target) {
        // The JVM opens its own jars and libraries when it first needs them.
        boolean own =
                target.endsWith(".jar") || target.endsWith(".so") || target.endsWith("modules");
        return own ? "descriptors of the JVM" : "descriptors: " + target.replaceAll("\\d+", "N");
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("glovebox"))
                .count();
    }

    private static List<Path> cgroups() throws IOException {
        String ours = "glovebox-" + ProcessHandle.current().pid() + "-";
        List<Path> found = new ArrayList<>();
        for (String mount : Files.readAllLines(Path.of("/proc/self/mountinfo"))) {
            String[] fields = mount.split(" ");
            if (mount.contains(" - cgroup")) {
                Files.walkFileTree(
                        Path.of(fields[4]),
                        new SimpleFileVisitor<>() {
                            @Override
                            public FileVisitResult preVisitDirectory(
                                    Path folder, BasicFileAttributes attributes) {
                                if (folder.getFileName().toString().startsWith(ours)) {
                                    found.add(folder);
                                }
                                return FileVisitResult.CONTINUE;
                            }

                            @Override
                            public FileVisitResult visitFileFailed(Path file, IOException e) {
                                return FileVisitResult.CONTINUE; // gone meanwhile
                            }
                        });
            }
        }
        return found;
    }

    private static long mounts() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            // A container engine on the same machine comes and goes as it likes.
            return lines.filter(line -> !OF_ENGINES.matcher(line).find()).count();
        }
    }

    private static long temporaryFiles() throws IOException {
        String ours = "glovebox-" + ProcessHandle.current().pid() + "-";
        try (Stream<Path> all = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
            return all.filter(path -> path.getFileName().toString().startsWith(ours)).count();
        }
    }
}
