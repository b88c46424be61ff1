package dev.glovebox.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An image of this machine's own interpreters and small tools, since none can be fetched. */
final class TestImage {

    static final String NAME = "glovebox-test:local";

    private static final String TOOLS =
            "bash sh env cat cp ls ln mv rm mkdir mkfifo mknod chmod chown dd df du echo expr false head id install"
                    + " kill nice nohup nproc od printf pwd readlink seq sha256sum shuf sleep sort split stat stty"
                    + " sync tail tee test timeout touch tr true truncate uname uniq wc whoami yes setsid unshare"
                    + " mount umount nsenter setpriv ps grep sed find hostname flock getconf tty prlimit dmesg su";
    private static final long MINUTES = 3;

    private TestImage() {}

    /** Makes it, unless the engine has it. */
    static void ensure(String host) throws IOException, InterruptedException {
        if (succeeds(docker(host, "image", "inspect", NAME))) {
            return;
        }
        Path list = Files.createTempFile("glovebox-image", "");
        try {
            Files.write(list, files());
            List<Process> line =
                    ProcessBuilder.startPipeline(
                            List.of(
                                    new ProcessBuilder(
                                                    "tar",
                                                    "-C",
                                                    "/",
                                                    "--no-recursion",
                                                    "-cf",
                                                    "-",
                                                    "-T",
                                                    list.toString())
                                            .redirectError(ProcessBuilder.Redirect.DISCARD),
                                    new ProcessBuilder(docker(host, "import", "-", NAME))
                                            .redirectErrorStream(true)
                                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)));
            Process last = line.getLast();
            if (!last.waitFor(MINUTES, TimeUnit.MINUTES) || last.exitValue() != 0) {
                line.forEach(Process::destroyForcibly);
                throw new IOException("The test image could not be made");
            }
        } finally {
            Files.delete(list);
        }
    }

    /** Makes another one of it, with one more file. */
    static void derive(String host, String name, Path folder, String file)
            throws IOException, InterruptedException {
        Files.writeString(folder.resolve(file), "of another image");
        Files.writeString(folder.resolve("Dockerfile"), "FROM " + NAME + "\nCOPY " + file + " /\n");
        if (!succeeds(docker(host, "build", "--tag", name, folder.toString()))) {
            throw new IOException("The image " + name + " could not be made");
        }
    }

    static List<String> docker(String host, String... words) {
        List<String> all = new ArrayList<>(List.of("docker", "--host", host));
        all.addAll(List.of(words));
        return all;
    }

    private static boolean succeeds(List<String> words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    /** Paths without their first slash, parents before their children. */
    private static List<String> files() throws IOException, InterruptedException {
        Set<Path> all = new TreeSet<>();
        List<Path> programs = new ArrayList<>();
        for (String tool : (TOOLS + " python3 node").split(" ")) {
            Stream.of("/usr/bin", "/bin")
                    .map(folder -> Path.of(folder, tool))
                    .filter(Files::exists)
                    .findFirst()
                    .ifPresent(programs::add);
        }
        for (Path program : programs) {
            add(all, program);
        }
        Path python = Path.of("/usr/bin/python3").toRealPath();
        Path library = Path.of("/usr/lib", python.getFileName().toString());
        try (Stream<Path> tree = Files.walk(library)) {
            // Neither its tests, nor what programs are linked with that have it built in.
            tree.filter(path -> !path.toString().matches(".*/(test|config-).*")).forEach(all::add);
        }
        try (Stream<Path> modules = Files.walk(library.resolve("lib-dynload"))) {
            programs.addAll(modules.filter(path -> path.toString().endsWith(".so")).toList());
        }
        for (Path needed : libraries(programs)) {
            add(all, needed);
        }
        for (String top : List.of("/bin", "/lib", "/lib64", "/sbin")) {
            if (Files.isSymbolicLink(Path.of(top))) {
                all.add(Path.of(top));
            }
        }
        // Engines make folders that are missing, and some let nobody but root into them.
        for (Path path : List.copyOf(all)) {
            for (int names = 1; names < path.getNameCount(); names++) {
                all.add(Path.of("/").resolve(path.subpath(0, names)));
            }
        }
        return all.stream().map(path -> path.toString().substring(1)).toList();
    }

    /** Adds a file by its name and as what that name leads to. */
    private static void add(Set<Path> all, Path file) throws IOException {
        Path folder = file.resolveSibling(".").toRealPath();
        all.add(folder.resolve(file.getFileName()));
        all.add(file.toRealPath());
        Path next = folder.resolve(file.getFileName());
        while (Files.isSymbolicLink(next)) {
            Path target = next.resolveSibling(Files.readSymbolicLink(next)).normalize();
            next = target.resolveSibling(".").toRealPath().resolve(target.getFileName());
            all.add(next);
        }
        // The folder that the loader's path names may be a link of its own.
        if (file.startsWith("/lib64")) {
            all.add(Path.of("/usr/lib64", file.getFileName().toString()));
        }
    }

    private static List<Path> libraries(List<Path> programs)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("ldd"));
        programs.forEach(program -> words.add(program.toString()));
        Process ldd =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String output = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        ldd.waitFor();
        List<Path> found = new ArrayList<>();
        for (String word : output.split("\\s+")) {
            if (word.startsWith("/") && !word.endsWith(":") && Files.exists(Path.of(word))) {
                found.add(Path.of(word));
            }
        }
        return found.stream().distinct().toList();
    }
}
