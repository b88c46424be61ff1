package dev.glovebox.sandbox.microvm;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The folders in which images are built, and what is left when nobody needs them any more. */
final class Building {

    private static final String PREFIX = "building-";

    private Building() {}

    /** A name that tells who builds. */
    static String name() {
        return PREFIX
                + ProcessHandle.current().pid()
                + "-"
                + Folder.startTime("self")
                + "-"
                + System.nanoTime();
    }

    /** Removes what builds that were killed have left; returns how many there were. */
    static int sweep(Map<String, String> environment) {
        int removed = 0;
        Path images = Image.images(environment);
        if (!Files.isDirectory(images)) {
            return 0;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(images, PREFIX + "*-*-*")) {
            for (Path folder : all) {
                String[] parts = folder.getFileName().toString().split("-");
                if (!Folder.startTime(parts[1]).equals(parts[2])) {
                    delete(folder);
                    removed++;
                }
            }
        } catch (IOException e) {
            return removed; // another user's, or swept by somebody else at the same time
        }
        return removed;
    }

    /** Deletes images, with their snapshots, but for these. */
    static void forget(Map<String, String> environment, Set<String> kept) throws IOException {
        for (Path place : new Path[] {Image.images(environment), Snapshots.folder(environment)}) {
            if (Files.isDirectory(place)) {
                try (DirectoryStream<Path> all = Files.newDirectoryStream(place, Building::old)) {
                    for (Path folder : all) {
                        if (!kept.contains(folder.getFileName().toString())) {
                            delete(folder);
                        }
                    }
                }
            }
        }
    }

    private static boolean old(Path folder) {
        return Files.isDirectory(folder) && !folder.getFileName().toString().startsWith(PREFIX);
    }

    static void delete(Path root) throws IOException {
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e)
                            throws IOException {
                        Files.delete(folder);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
