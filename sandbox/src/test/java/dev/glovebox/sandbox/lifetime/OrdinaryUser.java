package dev.glovebox.sandbox.lifetime;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Somebody without privileges or even a name, who runs tests in a JVM of their own. */
final class OrdinaryUser {

    static final int UID = 12345;

    private static final long GUARD_MINUTES = 15;

    private final Path folder;

    /** Has this folder of ours for all they need. */
    OrdinaryUser(Path folder) {
        this.folder = folder;
    }

    static boolean weAreRoot() {
        return Remains.ownUser() == 0;
    }

    /** Runs the classes of a package whose full names match the pattern. */
    List<RemoteTests.Line> run(String inPackage, String pattern)
            throws IOException, InterruptedException {
        Path home = Files.createDirectory(folder.resolve("home"));
        Path temporary = Files.createDirectory(home.resolve("tmp"));
        Path report = home.resolve("report.txt");
        Path log = folder.resolve("log.txt");
        List<String> command = new ArrayList<>();
        String classPath = System.getProperty("java.class.path", "");
        if (weAreRoot()) {
            classPath = publish(classPath);
            give(home);
            give(temporary);
            String uid = Integer.toString(UID);
            command.addAll(
                    List.of("setpriv", "--reuid", uid, "--regid", uid, "--clear-groups", "--"));
        }
        command.addAll(Jvm.java(temporary, classPath));
        command.removeIf("-XX:TieredStopAtLevel=1"::equals);
        command.add(1 + command.indexOf("-XX:-UsePerfData"), "-Duser.home=" + home);
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("glovebox.") || name.startsWith("junit."))
                .map(name -> "-D" + name + "=" + System.getProperty(name))
                .forEach(option -> command.add(1 + command.indexOf("-XX:-UsePerfData"), option));
        command.addAll(List.of(RemoteTests.class.getName(), report.toString(), inPackage, pattern));
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(home.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().clear();
        builder.environment()
                .putAll(
                        Map.of(
                                "PATH",
                                "/usr/local/bin:/usr/bin:/bin",
                                "HOME",
                                home.toString(),
                                // Else this Java could not name files in more than ASCII.
                                "LANG",
                                "C.UTF-8"));
        Process process = builder.start();
        if (!process.waitFor(GUARD_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("The tests do not end: " + end(log));
        }
        if (!Files.exists(report)) {
            throw new AssertionError(
                    "No tests ran, status " + process.exitValue() + ": " + end(log));
        }
        return Files.readAllLines(report).stream().map(RemoteTests.Line::parse).toList();
    }

    private static String end(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    private static void give(Path path) throws IOException {
        Files.setAttribute(path, "unix:uid", UID);
        Files.setAttribute(path, "unix:gid", UID);
    }

    /** Copies a class path out of folders that may be closed to others, such as root's home. */
    private String publish(String classPath) throws IOException {
        readable(folder);
        List<String> copies = new ArrayList<>();
        for (String entry : classPath.split(File.pathSeparator)) {
            Path from = Path.of(entry).toAbsolutePath();
            Path to =
                    folder.resolve("class-path").resolve(copies.size() + "-" + from.getFileName());
            if (Files.exists(from)) {
                copy(from, to);
                copies.add(to.toString());
            }
        }
        readable(folder.resolve("class-path"));
        return String.join(File.pathSeparator, copies);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (Stream<Path> all = Files.walk(from)) {
            for (Path one : all.toList()) {
                Path copy = to.resolve(from.relativize(one).toString()).normalize();
                Files.copy(one, copy);
                readable(copy);
            }
        }
    }

    private static void readable(Path path) throws IOException {
        Files.setPosixFilePermissions(
                path,
                PosixFilePermissions.fromString(
                        Files.isDirectory(path) ? "rwxr-xr-x" : "rw-r--r--"));
    }
}
