package dev.glovebox.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which host paths no box may see, by their names alone.
 *
 * @param homes home directories of people
 * @param state where Glovebox keeps its own keys and traces
 */
record HostPaths(Set<Path> homes, Path state) {

    private static final Path PASSWD = Path.of("/etc/passwd");

    /** The system's own: what is in them is secret, alive, or in every box already. */
    private static final List<Path> SYSTEM =
            Stream.of(
                            "/etc",
                            "/var",
                            "/proc",
                            "/sys",
                            "/dev",
                            "/run",
                            "/boot",
                            "/efi",
                            "/lost+found",
                            "/usr",
                            "/bin",
                            "/sbin",
                            "/lib",
                            "/lib32",
                            "/lib64",
                            "/libx32",
                            "/System",
                            "/Library",
                            "/private/etc",
                            "/private/var")
                    .map(Path::of)
                    .toList();

    /** On a Mac a user's temporary directory is below /var. */
    private static final List<Path> TEMPORARY_IN_SYSTEM =
            List.of(Path.of("/private/var/folders"), Path.of("/private/var/tmp"));

    private static final List<Path> TEMPORARY = List.of(Path.of("/tmp"), Path.of("/private/tmp"));

    /** Every directory in one of these is somebody's home, known to /etc/passwd or not. */
    private static final List<Path> OF_HOMES = List.of(Path.of("/home"), Path.of("/Users"));

    /** Where installed packages are, in the state; what is in it is no secret. */
    private static final String LAYERS = "layers";

    /** The same of root, whose home the users of its boxes cannot enter. */
    private static final Path ROOT_LAYERS = Path.of("/var/lib/glovebox/layers");

    private static final Path ROOT_HOME = Path.of("/root");

    /** Folders in a home that are not hidden by name but hold the same things. */
    private static final Set<String> PRIVATE = Set.of("Library", "AppData", "snap");

    HostPaths {
        homes = Set.copyOf(homes);
    }

    /** The rules of this machine, now. */
    static HostPaths here() {
        Set<Path> homes = new LinkedHashSet<>();
        Path home = Path.of(System.getProperty("user.home", "/"));
        addHome(homes, home);
        if (Files.isReadable(PASSWD)) {
            try {
                Files.readString(PASSWD, StandardCharsets.ISO_8859_1)
                        .lines()
                        .forEach(line -> loginHome(line).ifPresent(path -> addHome(homes, path)));
            } catch (IOException e) {
                throw new InvalidPolicy(
                        "Host files cannot be granted: " + PASSWD + " is not readable", e);
            }
        }
        return new HostPaths(homes, real(Home.of(System.getenv())));
    }

    /** The home in a line of /etc/passwd whose account can log in; others own no keys. */
    static Optional<Path> loginHome(String line) {
        String[] fields = line.split(":", -1);
        if (fields.length < 7 || fields[6].endsWith("/nologin") || fields[6].endsWith("/false")) {
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(fields[5]));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    /** Some system accounts have / as their home; that must not make every path a part of it. */
    private static void addHome(Set<Path> homes, Path home) {
        if (home.isAbsolute() && home.getNameCount() > 0) {
            homes.add(home.normalize());
            homes.add(real(home));
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path.toAbsolutePath().normalize();
        }
    }

    /** Why no box may see a path, which is absolute and free of symbolic links; empty if it may. */
    Optional<String> refusal(Path real) {
        if (real.getNameCount() == 0) {
            return Optional.of("is the root of the file system");
        }
        if (isLayer(real)) {
            return Optional.empty();
        }
        for (Path system : SYSTEM) {
            if (real.startsWith(system)
                    && TEMPORARY_IN_SYSTEM.stream().noneMatch(t -> isInside(real, t))) {
                return Optional.of("lies in the system directory " + system);
            }
        }
        if (real.startsWith(state)) {
            return Optional.of("holds the keys and traces of Glovebox");
        }
        for (Path temporary : TEMPORARY) {
            if (isInside(real, temporary)) {
                String name = real.getName(temporary.getNameCount()).toString();
                if (name.startsWith(".") || name.startsWith("ssh-")) {
                    return Optional.of("is where the host's programs keep their sockets");
                }
            }
        }
        return inHome(real).or(() -> above(real));
    }

    /** Whether it is a folder of installed packages, which boxes may read and never write. */
    boolean isLayer(Path real) {
        return isInside(real, state.resolve(LAYERS)) || isInside(real, ROOT_LAYERS);
    }

    private Optional<String> above(Path real) {
        if (OF_HOMES.contains(real)) {
            return Optional.of("is where home directories are");
        }
        if (TEMPORARY.contains(real)) {
            return Optional.of(
                    "is where the host's programs keep their sockets; a folder in it may be granted");
        }
        if (state.startsWith(real)) {
            return Optional.of("contains " + state + ", where Glovebox keeps its keys and traces");
        }
        return Stream.concat(Stream.concat(homes.stream(), Stream.of(ROOT_HOME)), SYSTEM.stream())
                .filter(kept -> isInside(kept, real))
                .sorted()
                .findFirst()
                .map(kept -> "contains " + kept);
    }

    private Optional<String> inHome(Path real) {
        Stream<Path> parents =
                OF_HOMES.stream()
                        .filter(parent -> isInside(real, parent))
                        .map(parent -> parent.resolve(real.getName(parent.getNameCount())));
        return Stream.concat(Stream.concat(homes.stream(), Stream.of(ROOT_HOME)), parents)
                .filter(real::startsWith)
                .map(home -> inHome(real, home))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<String> inHome(Path real, Path home) {
        if (real.equals(home)) {
            return Optional.of("is a home directory; a folder in it may be granted");
        }
        for (Path name : home.relativize(real)) {
            if (name.toString().startsWith(".") || PRIVATE.contains(name.toString())) {
                return Optional.of(
                        "lies in the private folder "
                                + Wording.quote(name.toString())
                                + " of a home");
            }
        }
        return Optional.empty();
    }

    private static boolean isInside(Path path, Path directory) {
        return path.startsWith(directory) && !path.equals(directory);
    }

    /**
     * Reads a path that a person wrote.
     *
     * @throws InvalidPolicy if this system has no such path
     */
    static Path path(String text) {
        if (text.isEmpty()) {
            throw new InvalidPolicy("The empty text is not a host path");
        }
        if (text.equals("~") || text.startsWith("~/")) {
            throw new InvalidPolicy(
                    "The host path "
                            + Wording.quote(text)
                            + " starts with ~, which is not expanded: write it in full");
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new InvalidPolicy(
                    Wording.quote(text) + " is not a path on this system: " + e.getReason(), e);
        }
    }

    /**
     * Checks the path of an interpreter and gives it back; whether it works is for the tier to say.
     */
    static Path checkInterpreter(Path interpreter) {
        String text = interpreter.toString();
        if (!interpreter.isAbsolute() || !interpreter.normalize().equals(interpreter)) {
            throw new InvalidPolicy(
                    "The interpreter "
                            + Wording.quote(text)
                            + " is not an absolute path without '.' and '..'");
        }
        checkWritable(interpreter);
        return interpreter;
    }

    /** Checks that a path can be written as text and read back, as the digest of a policy needs. */
    static void checkWritable(Path path) {
        String text = path.toString();
        if (Wording.hasControls(text) || Wording.hasHalves(text) || !path(text).equals(path)) {
            throw new InvalidPolicy(
                    "The path "
                            + Wording.quote(text)
                            + " holds characters that a policy cannot write down");
        }
    }
}
