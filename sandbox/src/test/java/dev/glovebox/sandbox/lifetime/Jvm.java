package dev.glovebox.sandbox.lifetime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.glovebox.sandbox.conformance.Walls;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A JVM of its own that runs a {@link Resident}, with a folder of its own for temporary files. */
final class Jvm implements AutoCloseable {

    /** Against hanging only; nothing is measured here. */
    static final long GUARD_SECONDS = 120;

    private final String marker = "glovebox-marker-" + UUID.randomUUID();
    private final Path errors;
    private final Path temporary;
    private final Process process;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();

    private Jvm(Path errors, Path temporary, Process process) {
        this.errors = errors;
        this.temporary = temporary;
        this.process = process;
        Thread.ofVirtual().start(this::listen);
    }

    /** Starts it with a folder for temporary files below another one. */
    static Jvm start(Path parent) {
        try {
            return startWith(Files.createTempDirectory(parent, "tmp"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts it with a folder for temporary files that may have been another JVM's. */
    static Jvm startWith(Path temporary) {
        // In a session of its own, with the signals as a terminal would have them: a background
        // job of a shell ignores SIGINT, and Java then leaves it ignored.
        List<String> command =
                new ArrayList<>(List.of("setsid", "env", "--default-signal=INT,TERM,HUP"));
        command.addAll(java(temporary, System.getProperty("java.class.path", "")));
        command.add(Resident.class.getName());
        try {
            Path errors = Files.createTempFile(temporary.getParent(), "errors", ".txt");
            Process process = new ProcessBuilder(command).redirectError(errors.toFile()).start();
            return new Jvm(errors, temporary, process);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The beginning of a command line for a small JVM that starts fast. */
    static List<String> java(Path temporary, String classPath) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                // Its file would be in /tmp, whatever java.io.tmpdir says.
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                absolute(classPath));
    }

    private static String absolute(String classPath) {
        return String.join(
                File.pathSeparator,
                List.of(classPath.split(File.pathSeparator)).stream()
                        .map(entry -> Path.of(entry).toAbsolutePath().toString())
                        .toList());
    }

    private void listen() {
        try (BufferedReader in = process.inputReader(UTF_8)) {
            in.lines().forEach(answers::add);
        } catch (IOException | UncheckedIOException e) {
            // The process is gone; who waits for an answer finds out.
        }
    }

    /** An argument of every program in its boxes, and of no other process of this machine. */
    String marker() {
        return marker;
    }

    Path temporary() {
        return temporary;
    }

    long pid() {
        return process.pid();
    }

    boolean alive() {
        return process.isAlive();
    }

    /** Gives an instruction and does not wait. */
    void tell(String instruction) {
        try {
            process.getOutputStream().write((instruction + "\n").getBytes(UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException("It is gone: " + complaints(), e);
        }
    }

    /** Gives an instruction and waits for the answer. */
    String ask(String instruction) {
        tell(instruction);
        return answer();
    }

    String answer() {
        try {
            String answer = answers.poll(GUARD_SECONDS, TimeUnit.SECONDS);
            if (answer == null) {
                throw new AssertionError("No answer: " + complaints());
            }
            return answer;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private String complaints() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Opens boxes, with programs in them that stay; returns the users they are to the host. */
    List<Long> open(String tier, int count) {
        Walls.needed(tier);
        String answer = ask("open " + tier + " " + count + " " + marker);
        return List.of(answer.split(" ")).stream().skip(1).map(Long::valueOf).toList();
    }

    void signal(String name) {
        send(name, Long.toString(pid()));
    }

    /** As a terminal does it on Ctrl-C: to every process of the foreground group. */
    void interruptGroup() {
        send("INT", "-" + pid());
    }

    private static void send(String name, String target) {
        try {
            int status =
                    new ProcessBuilder("bash", "-c", "kill -\"$0\" -- \"$1\"", name, target)
                            .inheritIO()
                            .start()
                            .waitFor();
            if (status != 0) {
                throw new AssertionError("Signal " + name + " could not be sent");
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits for its end; returns its exit status. */
    int await() {
        try {
            if (!process.waitFor(GUARD_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError("It does not end: " + complaints());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        await();
        requireNonNull(errors.toFile()).deleteOnExit();
    }
}
