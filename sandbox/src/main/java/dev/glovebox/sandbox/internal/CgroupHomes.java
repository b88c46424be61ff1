package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.spi.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Remembers between JVMs below which groups they made theirs.
 *
 * <p>A JVM's boxes are in groups below its own, so that they stay within whatever bounds it. One
 * that is started later, from another login or service, would not find what a killed one left
 * there; and to walk through all groups of a machine takes longer than to run a program.
 */
final class CgroupHomes {

    private static final String PREFIX = "cgroup-home-";

    private CgroupHomes() {}

    static void remember(Path home) {
        String digest = Digests.hex(home.toString().getBytes(StandardCharsets.UTF_8));
        Path file = Cache.folder().resolve(PREFIX + digest.substring(0, 16));
        if (!Files.exists(file)) {
            try {
                Cache.write(file, List.of(home.toString()));
            } catch (IOException e) {
                // Then the sweep after a kill finds this home only from within it.
            }
        }
    }

    /** All that are still there; those that are not are forgotten. */
    static Set<Path> remembered() {
        Set<Path> homes = new HashSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Cache.folder(), PREFIX + "*")) {
            for (Path file : files) {
                Path home = Path.of(Files.readString(file).strip());
                if (Files.isDirectory(home)) {
                    homes.add(home);
                } else {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException e) {
            return homes; // nothing was remembered, or another JVM is forgetting the same
        }
        return homes;
    }
}
