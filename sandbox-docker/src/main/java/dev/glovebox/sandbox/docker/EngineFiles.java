package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.spi.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Files for an engine on this machine that takes some things by their path only. Each is named by
 * its digest, in a folder of this JVM that nobody else can write to; no secret is in them, and the
 * engine may run as another user.
 */
final class EngineFiles {

    static final EngineFiles OURS = new EngineFiles();

    private static final String FOLDER = "glovebox-engine-";
    private static final String OWNER = "owner";

    private @Nullable Path folder;

    private EngineFiles() {}

    /**
     * The file with a content.
     *
     * @throws NotEnforceable if it cannot be written
     */
    synchronized Path of(String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        try {
            Path file = folder().resolve(Digests.hex(bytes));
            if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
                // The engine sees all of it, or nothing.
                Path part = file.resolveSibling("part");
                Files.write(part, bytes);
                Files.setPosixFilePermissions(part, PosixFilePermissions.fromString("rw-r--r--"));
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return file;
        } catch (IOException e) {
            throw new NotEnforceable(
                    "seccomp", "no file for the engine can be written: " + e.getMessage(), e);
        }
    }

    private Path folder() throws IOException {
        Path known = folder;
        if (known == null || !Files.isDirectory(known, LinkOption.NOFOLLOW_LINKS)) {
            known = Files.createTempDirectory(temporary(), FOLDER);
            Files.writeString(known.resolve(OWNER), Owner.self().label());
            Files.setPosixFilePermissions(known, PosixFilePermissions.fromString("rwxr-xr-x"));
            if (folder == null) {
                Departures.add(this::remove);
            }
            folder = known;
        }
        return known;
    }

    private synchronized void remove() {
        try {
            if (folder != null) {
                delete(folder);
            }
        } catch (IOException e) {
            // The next sweep finds it.
        }
    }

    /** Removes what JVMs of this user left that were killed; returns how many folders. */
    static int sweep() {
        int removed = 0;
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(temporary(), FOLDER + "*")) {
            for (Path folder : folders) {
                if (left(folder)) {
                    delete(folder);
                    removed++;
                }
            }
        } catch (IOException e) {
            // The rest is found the next time.
        }
        return removed;
    }

    /**
     * A folder of another user may be a trap for whoever deletes in it; one of a JVM that counts
     * processes apart from us may be in use.
     */
    private static boolean left(Path folder) throws IOException {
        Path label = folder.resolve(OWNER);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                || !user(folder).equals(user(Path.of("/proc/self")))
                || !Files.isRegularFile(label, LinkOption.NOFOLLOW_LINKS)) {
            return false;
        }
        return Owner.of(Map.of(Owner.LABEL, Files.readString(label)))
                .filter(owner -> owner.onThisMachine() && !owner.alive())
                .isPresent();
    }

    private static Object user(Path path) throws IOException {
        return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    }

    private static void delete(Path folder) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                Files.deleteIfExists(file);
            }
        }
        Files.deleteIfExists(folder);
    }

    private static Path temporary() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }
}
