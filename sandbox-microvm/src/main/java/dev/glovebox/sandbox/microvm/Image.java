package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Home;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What guests start from: a kernel, a first file system and a root, never changed once built.
 *
 * @param folder named by the digest of all that is in it
 * @param digest SHA-256 over the digests of its files
 */
public record Image(Path folder, String digest) {

    static final String KERNEL = "kernel";
    static final String INITIAL = "initrd";
    static final String ROOT = "root";

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");

    /** The one that boxes get, if one was built. */
    public static Optional<Image> current(Map<String, String> environment) {
        Path images = images(environment);
        try {
            String digest = Files.readString(images.resolve("current")).strip();
            Image image = new Image(images.resolve(digest), digest);
            return DIGEST.matcher(digest).matches() && image.complete()
                    ? Optional.of(image)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // none was built
        }
    }

    static Path images(Map<String, String> environment) {
        return Home.of(environment).resolve("microvm").resolve("images");
    }

    private boolean complete() {
        return Files.isReadable(kernel())
                && Files.isReadable(folder.resolve(INITIAL))
                && Files.isReadable(folder.resolve(ROOT));
    }

    Path kernel() {
        return folder.resolve(KERNEL);
    }
}
