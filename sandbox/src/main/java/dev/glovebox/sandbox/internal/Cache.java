package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Where things are remembered between JVMs that can be found out again. */
final class Cache {

    private Cache() {}

    static Path folder() {
        return Home.of(System.getenv()).resolve("cache");
    }

    /** Writes a file so that nobody ever reads half of it. */
    static void write(Path file, List<String> lines) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path fresh = Files.createTempFile(folder, "fresh", ".new");
        Files.write(fresh, lines);
        Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
