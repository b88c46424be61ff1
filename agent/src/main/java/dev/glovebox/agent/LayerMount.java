package dev.glovebox.agent;

import dev.glovebox.sandbox.FileGrant;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Installed packages that a box sees, read-only.
 *
 * <p>A record names them by their digest, since they may be elsewhere when it is read.
 *
 * @param digest SHA-256 of all that is in it
 * @param box where the box sees it
 * @param folder where it is on this machine; asked for only when a program really runs
 */
public record LayerMount(String digest, String box, Supplier<Path> folder) {

    FileGrant grant() {
        return new FileGrant(folder.get(), box, FileGrant.Mode.READ);
    }
}
