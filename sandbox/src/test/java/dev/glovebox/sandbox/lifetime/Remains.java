package dev.glovebox.sandbox.lifetime;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What can be found of the boxes of a JVM on this machine. */
final class Remains {

    /** As root a JVM gives its boxes users from a block of this size. */
    private static final long USERS_OF_A_JVM = 256;

    private static final Pattern MOUNTS_OF_BOXES =
            Pattern.compile("^(/tmp|/newroot|/oldroot|/proc/)|glovebox|bwrap");

    private static final Pattern MOUNTS_OF_ENGINES = Pattern.compile("/gb-|/overlay");

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    private Remains() {}

    /** Processes that carry the marker in their command line. */
    static List<Path> marked(String marker) {
        return processes().filter(process -> read(process, "cmdline").contains(marker)).toList();
    }

    /** Processes, also those half made, of boxes that have users of their own. */
    static List<String> ofUsersLike(List<Long> users) {
        List<Long> blocks =
                users.stream()
                        .filter(user -> user != ownUser())
                        .map(user -> user / USERS_OF_A_JVM)
                        .toList();
        return processes()
                .filter(process -> blocks.contains(uid(read(process, "status")) / USERS_OF_A_JVM))
                // Dead, and waiting for the machine's own init to take notice.
                .filter(process -> !read(process, "status").contains("State:\tZ"))
                .map(process -> process + " " + read(process, "stat").strip())
                .toList();
    }

    static long ownUser() {
        return uid(read(Path.of("/proc/self"), "status"));
    }

    private static Stream<Path> processes() {
        try (Stream<Path> entries = Files.list(Path.of("/proc"))) {
            return entries
                    .filter(path -> path.getFileName().toString().matches("\\d+"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long uid(String status) {
        return status.lines()
                .filter(line -> line.startsWith("Uid:"))
                .map(line -> line.split("\\s+")[1])
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(-1);
    }

    private static String read(Path process, String file) {
        try {
            return Files.readString(process.resolve(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it is gone
        }
    }

    /** Control groups named after the JVM. */
    static List<Path> cgroups(long jvm) {
        List<Path> found = new ArrayList<>();
        try {
            Files.walkFileTree(
                    CGROUPS,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            if (ofJvm(folder, jvm)) {
                                found.add(folder);
                            }
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException e) {
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path folder, @org.jspecify.annotations.Nullable IOException e) {
                            return FileVisitResult.CONTINUE; // other groups come and go
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** Files and folders in its own folder for temporary files, and in the machine's. */
    static List<Path> files(Jvm jvm) {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> own = Files.list(jvm.temporary());
                Stream<Path> shared = Files.list(Path.of("/tmp"))) {
            own.forEach(found::add);
            shared.filter(path -> ofJvm(path, jvm.pid())).forEach(found::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static boolean ofJvm(Path path, long jvm) {
        return path.getFileName().toString().startsWith("glovebox-" + jvm + "-");
    }

    /** Mounts of the host where boxes have theirs; others come and go with what else runs here. */
    static List<String> mounts() {
        return read(Path.of("/proc/self"), "mountinfo")
                .lines()
                .filter(line -> MOUNTS_OF_BOXES.matcher(line.split(" ")[4]).find())
                .filter(line -> !MOUNTS_OF_ENGINES.matcher(line).find())
                .toList();
    }
}
