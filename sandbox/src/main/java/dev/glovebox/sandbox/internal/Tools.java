package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds programs of the host that boxes are made of, and their versions. */
final class Tools {

    private static final List<Path> USUAL =
            List.of(
                    Path.of("/usr/local/bin"),
                    Path.of("/usr/bin"),
                    Path.of("/bin"),
                    Path.of("/usr/sbin"),
                    Path.of("/sbin"));
    private static final Pattern VERSION = Pattern.compile("\\d+(\\.\\d+)+");
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final long VERSION_SECONDS = 10;
    static final String UNKNOWN = "unknown";

    private static final Map<List<String>, Optional<Path>> FOUND = new ConcurrentHashMap<>();
    private static final Map<Path, String> VERSIONS = new ConcurrentHashMap<>();

    private Tools() {}

    /**
     * The first real program of one of these names on the PATH or a usual folder, outside homes.
     */
    static Optional<Path> find(String... names) {
        return FOUND.computeIfAbsent(List.of(names), Tools::search).filter(Files::isExecutable);
    }

    private static Optional<Path> search(List<String> names) {
        List<Path> folders = Stream.concat(onPath(), USUAL.stream()).distinct().toList();
        return names.stream()
                .flatMap(name -> folders.stream().map(folder -> folder.resolve(name)))
                .filter(Tools::usable)
                .findFirst();
    }

    private static Stream<Path> onPath() {
        String path = System.getenv("PATH");
        return path == null
                ? Stream.empty()
                : Arrays.stream(path.split(":"))
                        .filter(entry -> entry.startsWith("/"))
                        .map(Path::of);
    }

    /**
     * Whether it is a program of its own, not a script that stands in for one in a home directory.
     */
    static boolean usable(Path program) {
        try {
            Path real = program.toRealPath();
            return !inHome(program) && !inHome(real) && Files.isExecutable(real) && elf(real);
        } catch (IOException e) {
            return false;
        }
    }

    static boolean inHome(Path path) {
        return Stream.of("/home", "/root", "/Users", System.getProperty("user.home", "/root"))
                .filter(home -> home.length() > 1)
                .anyMatch(path::startsWith);
    }

    private static boolean elf(Path program) throws IOException {
        try (InputStream in = Files.newInputStream(program)) {
            return Arrays.equals(in.readNBytes(ELF.length), ELF);
        }
    }

    /** What the program says of its version; asked once for each program. */
    static String version(Path program) {
        return VERSIONS.computeIfAbsent(program, one -> VersionCache.of(one, Tools::ask));
    }

    private static String ask(Path program) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(program.toString(), "--version").redirectErrorStream(true);
            builder.environment().clear();
            Process process = builder.start();
            process.getOutputStream().close();
            if (!process.waitFor(VERSION_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return UNKNOWN;
            }
            String answer =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            Matcher matcher = VERSION.matcher(answer);
            return matcher.find() ? matcher.group() : UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
