package dev.glovebox.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** An engine of its own, with all it keeps in a folder of its own. */
final class PrivateEngine implements AutoCloseable {

    private static final long START_SECONDS = 30;
    static final Path PODMAN = Path.of("/usr/bin/podman");

    private final Path folder;
    private final Process process;

    private PrivateEngine(Path folder, Process process) {
        this.folder = folder;
        this.process = process;
    }

    /** Starts one, with more options of {@code dockerd}. */
    static PrivateEngine start(String... more) throws IOException {
        if (!root() || !Files.exists(Path.of("/usr/sbin/dockerd"))) {
            throw new IOException("No engine can be started here");
        }
        Path folder = Files.createTempDirectory("gb-engine");
        List<String> words =
                new ArrayList<>(
                        List.of(
                                "/usr/sbin/dockerd",
                                "--data-root",
                                folder + "/data",
                                "--exec-root",
                                folder + "/exec",
                                "--pidfile",
                                folder + "/pid",
                                "--host",
                                "unix://" + folder + "/sock",
                                "--bridge=none",
                                "--iptables=false",
                                "--ip-forward=false"));
        words.addAll(List.of(more));
        if (Files.exists(Path.of("/usr/bin/runsc"))) {
            Path runsc = folder.resolve("runsc");
            Files.writeString(
                    runsc,
                    "#!/bin/sh\nexec /usr/bin/runsc --platform=ptrace --network=none \"$@\"\n");
            Files.setPosixFilePermissions(runsc, PosixFilePermissions.fromString("rwxr-xr-x"));
            words.addAll(List.of("--add-runtime", "runsc=" + runsc));
        }
        return start(folder, words);
    }

    /** Starts Podman's service. */
    static PrivateEngine podman() throws IOException {
        if (!root() || !Files.exists(PODMAN)) {
            throw new IOException("No Podman can be started here");
        }
        Path folder = Files.createTempDirectory("gb-podman");
        return start(folder, podman(folder, folder));
    }

    /** Starts another service of the same Podman, which has the same images and containers. */
    PrivateEngine another() throws IOException {
        Path own = Files.createTempDirectory("gb-podman");
        return start(own, podman(folder, own));
    }

    static List<String> podman(Path folder, Path socket) {
        List<String> words =
                new ArrayList<>(
                        List.of(
                                PODMAN.toString(),
                                "--root",
                                folder + "/data",
                                "--runroot",
                                folder + "/run",
                                "--tmpdir",
                                folder + "/tmp",
                                "--cgroup-manager=cgroupfs"));
        // Its usual runtime does without both kinds of cgroups at once.
        if (Files.exists(Path.of("/sys/fs/cgroup/unified"))) {
            words.addAll(List.of("--runtime", "/usr/sbin/runc"));
        }
        words.addAll(List.of("system", "service", "--time=0", "unix://" + socket + "/sock"));
        return words;
    }

    static boolean root() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }

    /** Starts one by a command line that names its folder. */
    static PrivateEngine start(Path folder, List<String> words) throws IOException {
        Process process =
                new ProcessBuilder(words)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile())
                        .start();
        PrivateEngine engine = new PrivateEngine(folder, process);
        engine.await();
        return engine;
    }

    private void await() throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.exists(folder.resolve("sock"))) {
            if (!process.isAlive() || System.nanoTime() > deadline) {
                String log = Files.readString(folder.resolve("log"));
                close();
                throw new IOException("The engine did not start: " + log);
            }
            try {
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
    }

    String host() {
        return "unix://" + folder + "/sock";
    }

    /** Kills the engine; what it had started lives on for a while. */
    void kill() {
        process.destroyForcibly();
    }

    /** Makes it hang. */
    void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(15, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
            survivors().forEach(ProcessHandle::destroyForcibly);
            unmount();
            try (Stream<Path> tree = Files.walk(folder)) {
                tree.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
            }
        } catch (IOException e) {
            // Its folder is a temporary one.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What a killed engine had started names its folder, or has it in its environment. */
    private List<ProcessHandle> survivors() {
        return ProcessHandle.allProcesses()
                .filter(one -> names(one, "cmdline") || names(one, "environ"))
                .filter(one -> one.pid() != ProcessHandle.current().pid())
                .toList();
    }

    private boolean names(ProcessHandle process, String file) {
        try {
            Path path = Path.of("/proc", Long.toString(process.pid()), file);
            return Files.readString(path, StandardCharsets.ISO_8859_1).contains(folder + "/");
        } catch (IOException e) {
            return false; // gone meanwhile
        }
    }

    private void unmount() throws IOException, InterruptedException {
        List<String> mounts =
                Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
                        .map(line -> line.split(" ")[4])
                        .filter(point -> point.startsWith(folder + "/"))
                        .sorted(Comparator.reverseOrder())
                        .toList();
        for (String mount : mounts) {
            new ProcessBuilder("umount", "-l", mount).start().waitFor();
        }
    }
}
