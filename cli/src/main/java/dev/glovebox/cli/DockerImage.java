package dev.glovebox.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An image with the host's own Python in it, so that docker runs the very same interpreter. */
record DockerImage(String docker, String python) {

    static final String NAME = "glovebox-bench:local";
    private static final long ANSWER_SECONDS = 10;
    private static final long BUILD_SECONDS = 120;

    /**
     * Asks whether an engine answers, and makes the image; empty, with a word why, if it does not.
     */
    static Optional<DockerImage> build(Path python, Shell shell) {
        try {
            if (!succeeds(ANSWER_SECONDS, List.of("docker", "version"))) {
                shell.say("left out: docker, since no engine answers");
                return Optional.empty();
            }
            shell.say("making an image of this machine's Python for docker");
            List<Process> line =
                    ProcessBuilder.startPipeline(
                            List.of(
                                    new ProcessBuilder(tar(python))
                                            .redirectError(ProcessBuilder.Redirect.DISCARD),
                                    new ProcessBuilder("docker", "import", "-", NAME)
                                            .redirectErrorStream(true)
                                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)));
            Process last = line.getLast();
            if (!last.waitFor(BUILD_SECONDS, TimeUnit.SECONDS) || last.exitValue() != 0) {
                line.forEach(Process::destroyForcibly);
                shell.say("left out: docker, since the image could not be made");
                return Optional.empty();
            }
            return Optional.of(new DockerImage("docker", python.toString()));
        } catch (IOException e) {
            shell.say("left out: docker, which is not installed");
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    List<String> command(String program) {
        return List.of(docker, "run", "--rm", "--network=none", NAME, python, "-c", program);
    }

    /** Packs the interpreter, its library and what it is linked with. */
    private static List<String> tar(Path python) throws IOException, InterruptedException {
        Path real = python.toRealPath();
        List<String> words = new ArrayList<>(List.of("tar", "-C", "/", "-cf", "-"));
        List<Path> parts = new ArrayList<>(List.of(python, real));
        parts.add(Path.of("/usr/lib", real.getFileName().toString()));
        for (String top : List.of("/lib", "/lib64")) {
            if (Files.isSymbolicLink(Path.of(top))) {
                parts.add(Path.of(top));
            }
        }
        parts.addAll(libraries(real));
        Path modules = Path.of("/usr/lib", real.getFileName().toString(), "lib-dynload");
        if (Files.isDirectory(modules)) {
            try (Stream<Path> all = Files.list(modules)) {
                for (Path module : all.filter(one -> one.toString().endsWith(".so")).toList()) {
                    parts.addAll(libraries(module));
                }
            }
        }
        parts.stream()
                .distinct()
                .filter(Files::exists)
                .forEach(part -> words.add(part.toString().substring(1)));
        return words;
    }

    private static List<Path> libraries(Path program) throws IOException, InterruptedException {
        Process ldd =
                new ProcessBuilder("ldd", program.toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String output = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        ldd.waitFor();
        List<Path> found = new ArrayList<>();
        for (String word : output.split("\\s+")) {
            if (word.startsWith("/")) {
                Path library = Path.of(word);
                Path real = library.toRealPath();
                Stream.of(real, real.resolveSibling(library.getFileName())).forEach(found::add);
                if (library.startsWith("/lib64")) {
                    found.add(Path.of("/usr").resolve(library.toString().substring(1)));
                }
            }
        }
        return found;
    }

    private static boolean succeeds(long seconds, List<String> words)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(words)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }
}
