package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Reads and writes the small files that cgroups are made of. */
final class CgroupFiles {

    private static final int REMOVE_TRIES = 200;
    private static final long REMOVE_PAUSE_NANOS = 1_000_000;

    private CgroupFiles() {}

    static String read(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read " + file, e);
        }
    }

    static long number(Path file) {
        return Long.parseLong(read(file));
    }

    /** The number behind a word at the beginning of a line; 0 where the kernel has no such line. */
    static long entry(Path file, String word) {
        return read(file)
                .lines()
                .filter(line -> line.startsWith(word + " "))
                .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1).strip()))
                .findFirst()
                .orElse(0);
    }

    static void write(Path file, String value) {
        try {
            Files.writeString(file, value);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write '" + value + "' to " + file, e);
        }
    }

    /** Removes a group; the kernel may need a moment after the last process is gone. */
    static void remove(Path group) {
        for (int i = 0; i < REMOVE_TRIES; i++) {
            try {
                Files.delete(group);
                return;
            } catch (NoSuchFileException e) {
                return;
            } catch (IOException e) {
                LockSupport.parkNanos(REMOVE_PAUSE_NANOS);
            }
        }
        throw new IllegalStateException(
                "The cgroup " + group + " cannot be removed: something is left in it");
    }
}
