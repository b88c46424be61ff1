package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Home;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.spi.Digests;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
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

    /** The packages that it was made of, and the digest of what we put in ourselves. */
    static final String ORIGIN = "origin";

    static final String DIGESTS = "digests";
    static final List<String> FILES = List.of(KERNEL, INITIAL, ROOT, ORIGIN);

    // Counted up when images are built in another way, so that old ones are not taken.
    private static final byte[] FORMAT = {2};
    static final String INIT = "init.sh";

    /** What the guest's first process is made of. */
    static final List<String> AGENT = List.of("agent.py", "confine.py", "scratch.py");

    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final int BUFFER = 1 << 16;

    /** The one that boxes get, if one was built by a Glovebox that speaks as this one does. */
    public static Optional<Image> current(Map<String, String> environment) {
        Path images = images(environment);
        try {
            String digest = Files.readString(images.resolve("current")).strip();
            if (!DIGEST.matcher(digest).matches()) {
                return Optional.empty();
            }
            Image image = new Image(images.resolve(digest), digest);
            return image.origin().lines().findFirst().equals(Optional.of(own()))
                    ? Optional.of(image)
                    : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // none was built
        }
    }

    static Path images(Map<String, String> environment) {
        return Home.of(environment).resolve("microvm").resolve("images");
    }

    /** The digest of the agent and of what starts it; an image with another is not ours. */
    static String own() throws IOException {
        MessageDigest digest = Digests.sha256();
        digest.update(FORMAT);
        digest.update(resource(INIT));
        for (String name : AGENT) {
            digest.update(resource(name));
        }
        return Digests.hex(digest);
    }

    static byte[] resource(String name) throws IOException {
        try (InputStream in = Objects.requireNonNull(Image.class.getResourceAsStream(name), name)) {
            return in.readAllBytes();
        }
    }

    String origin() throws IOException {
        return Files.readString(folder.resolve(ORIGIN));
    }

    /** What the distribution calls its version of the interpreter, without its own additions. */
    Optional<Interpreter> interpreter(Language language) {
        String command =
                switch (language) {
                    case PYTHON -> "python3";
                    case JAVASCRIPT -> "node";
                    case BASH -> "bash";
                };
        String name = language == Language.JAVASCRIPT ? "nodejs" : command;
        Matcher version =
                Pattern.compile("(?m)^" + name + "_(?:\\d+%3a)?([0-9][0-9.]*)[^_]*_")
                        .matcher(told());
        return version.find()
                ? Optional.of(
                        new Interpreter(language, Path.of("/usr/bin", command), version.group(1)))
                : Optional.empty();
    }

    private String told() {
        try {
            return origin();
        } catch (IOException e) {
            return "";
        }
    }

    /** Digests of all files, a line each, as they are now. */
    static String digests(Path folder) throws IOException {
        StringBuilder digests = new StringBuilder();
        for (String name : FILES) {
            digests.append(digest(folder.resolve(name))).append(' ').append(name).append('\n');
        }
        return digests.toString();
    }

    static String digest(String digests) {
        return Digests.hex(digests.getBytes(StandardCharsets.UTF_8));
    }

    private static String digest(Path file) throws IOException {
        MessageDigest digest = Digests.sha256();
        byte[] buffer = new byte[BUFFER];
        try (InputStream in = Files.newInputStream(file)) {
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                digest.update(buffer, 0, size);
            }
        }
        return Digests.hex(digest);
    }

    /** Reads all of it; a file that is not as it was built is told. */
    void verify() throws IOException {
        if (!digest(digests(folder)).equals(digest)) {
            throw new IOException("the image is not as it was built; type: glovebox image build");
        }
    }

    String kernelDigest() throws IOException {
        return digest(folder.resolve(KERNEL));
    }
}
