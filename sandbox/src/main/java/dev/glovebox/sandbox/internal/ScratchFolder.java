package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** A directory on the host for a box of the process tier, named after the JVM that made it. */
record ScratchFolder(Path path) {

    private static final String PREFIX = "glovebox-";
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** What dead JVMs left is looked for once, when the first box is opened. */
    private static final class Leftovers {
        static {
            sweep();
        }

        static void sweepOnce() {
            // Loading this class has done it.
        }
    }

    static ScratchFolder create() {
        Leftovers.sweepOnce();
        long pid = ProcessHandle.current().pid();
        Path path =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        PREFIX
                                + pid
                                + "-"
                                + Proc.startTime("self")
                                + "-"
                                + NUMBERS.incrementAndGet());
        try {
            // Fails if somebody put something there before us.
            Files.createDirectory(
                    path,
                    PosixFilePermissions.asFileAttribute(
                            PosixFilePermissions.fromString("rwx------")));
            Files.createDirectory(path.resolve("scratch"));
            Files.createDirectory(path.resolve("tmp"));
        } catch (IOException e) {
            throw new NotEnforceable(
                    "disk", "No scratch directory can be made: " + e.getMessage(), e);
        }
        return new ScratchFolder(path);
    }

    Path scratch() {
        return path.resolve("scratch");
    }

    Path temporary() {
        return path.resolve("tmp");
    }

    /** Bytes of all files in it. */
    long size() {
        AtomicLong sum = new AtomicLong();
        try {
            Files.walkFileTree(
                    path,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            sum.addAndGet(attributes.size());
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFileFailed(Path file, IOException e) {
                            return FileVisitResult.CONTINUE; // gone meanwhile
                        }
                    });
        } catch (IOException e) {
            return sum.get();
        }
        return sum.get();
    }

    void delete() {
        delete(path);
    }

    private static void delete(Path root) {
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                                throws IOException {
                            Files.deleteIfExists(file);
                            return FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult postVisitDirectory(
                                Path folder, @org.jspecify.annotations.Nullable IOException e)
                                throws IOException {
                            Files.deleteIfExists(folder);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            deleteByForce(root, e);
        }
    }

    /**
     * A program may nest folders deeper than any path is long, or lock them; the tools of the
     * system know how to deal with both, and follow no link.
     */
    private static void deleteByForce(Path root, IOException first) {
        try {
            run("chmod", "-R", "u+rwX", "--", root.toString());
            run("rm", "-rf", "--", root.toString());
        } catch (IOException e) {
            first.addSuppressed(e);
        }
        if (Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            LoggerFactory.getLogger(ScratchFolder.class)
                    .warn("{} could not be removed", root, first);
        }
    }

    private static void run(String tool, String... arguments) throws IOException {
        Path program = Tools.find(tool).orElseThrow(() -> new IOException("There is no " + tool));
        Process process =
                new ProcessBuilder(
                                Stream.concat(Stream.of(program.toString()), Stream.of(arguments))
                                        .toList())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes folders whose JVM is gone; returns how many. */
    static int sweep() {
        Path parent = Path.of(System.getProperty("java.io.tmpdir"));
        int removed = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*-*-*")) {
            for (Path folder : folders) {
                String[] parts = folder.getFileName().toString().split("-");
                if (ours(folder) && !Proc.startTime(parts[1]).equals(parts[2])) {
                    delete(folder);
                    removed++;
                }
            }
        } catch (IOException e) {
            return removed;
        }
        return removed;
    }

    /**
     * Whether it is a folder of this user's own.
     *
     * <p>The attack: somebody else on this machine makes a folder that looks like one of ours, and
     * links or swaps what is in it, so that we remove or unlock files of ours elsewhere.
     */
    private static boolean ours(Path folder) {
        try {
            Map<String, Object> found =
                    Files.readAttributes(folder, "unix:isDirectory,uid", LinkOption.NOFOLLOW_LINKS);
            return Boolean.TRUE.equals(found.get("isDirectory"))
                    && Integer.valueOf(Kernel.getuid()).equals(found.get("uid"));
        } catch (IOException e) {
            return false; // gone meanwhile
        }
    }
}
