package dev.glovebox.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for the files of one benchmark, gone when closed. */
final class Scratch implements AutoCloseable {

    private final Path folder;

    Scratch() {
        try {
            folder = Files.createTempDirectory("glovebox-bench-");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    @Override
    public void close() {
        try {
            List<Path> files;
            try (Stream<Path> found = Files.walk(folder)) {
                files = found.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path file : files) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
