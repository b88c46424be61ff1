package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What only shows with a process of its own: real streams, signals, and what is left behind. */
@Timeout(120)
class ExecProcessTest {

    private static final Duration SOON = Duration.ofSeconds(10);

    @TempDir Path directory;

    @BeforeAll
    static void needsTheJail() {
        Cli.needs("jail");
    }

    @Test
    void output_is_exact_to_the_byte() throws IOException, InterruptedException {
        byte[] bytes = new byte[5_000_000];
        new Random(42).nextBytes(bytes);
        Files.write(directory.resolve("data"), bytes);
        Files.writeString(directory.resolve("p.yaml"), "limits: {output: 8MiB}");
        Process process =
                Cli.in(directory)
                        .process("exec", "--policy", "p.yaml", "--in", "data", "--", "cat", "data")
                        .start();
        process.getOutputStream().close();
        Cli.Ran ran = Cli.await(process);
        assertThat(ran).extracting(Cli.Ran::exit, Cli.Ran::stderr).containsExactly(0, "");
        assertThat(ran.stdout()).isEqualTo(bytes);
    }

    @Test
    void input_is_exact_to_the_byte() throws IOException, InterruptedException {
        byte[] bytes = new byte[300_000];
        new Random(43).nextBytes(bytes);
        Process process = Cli.in(directory).process("exec", "--", "cat").start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(bytes);
        }
        assertThat(Cli.await(process).stdout()).isEqualTo(bytes);
    }

    @Test
    void output_comes_while_the_program_runs_and_it_answers_to_input()
            throws IOException, InterruptedException {
        Process process = Cli.in(directory).process("exec", "--", "cat").start();
        try (OutputStream stdin = process.getOutputStream()) {
            for (String line : List.of("one", "two")) {
                byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
                stdin.write(bytes);
                stdin.flush();
                assertThat(process.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
            }
        }
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void a_program_that_ignores_its_input_is_not_waited_for()
            throws IOException, InterruptedException {
        Process process = Cli.in(directory).process("exec", "--", "true").start();
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue(); // standard input is still open
        assertThat(process.exitValue()).isZero();
    }

    @Test
    void a_reader_that_goes_away_stops_the_program_quietly()
            throws IOException, InterruptedException {
        String marker = marker();
        Process process = Cli.in(directory).process("exec", "--", "yes", marker).start();
        try (InputStream out = process.getInputStream()) {
            assertThat(out.readNBytes(2)).hasSize(2);
        }
        assertThat(process.getErrorStream().readAllBytes()).isEmpty();
        assertThat(process.waitFor()).isEqualTo(Main.NOBODY_READS);
        assertThat(processesWith(marker)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"INT, 130", "TERM, 143"})
    void an_interrupt_leaves_nothing_behind(String signal, int exit)
            throws IOException, InterruptedException {
        String marker = marker();
        Process process = started(marker, "exec");
        signal(process, signal);
        Cli.Ran ran = Cli.await(process);
        assertThat(ran.exit()).isEqualTo(exit);
        assertThat(ran.stderr()).isEqualTo("glovebox: interrupted\n");
        assertThat(processesWith(marker)).isEmpty();
    }

    @Test
    void an_interrupt_is_a_document_too() throws IOException, InterruptedException {
        String marker = marker();
        Process process = started(marker, "exec", "--json");
        signal(process, "INT");
        Cli.Ran ran = Cli.await(process);
        assertThat(ran.exit()).isEqualTo(130);
        assertThat(ran.json().isObject()).isTrue();
    }

    @Test
    void being_killed_leaves_no_process_behind() throws IOException, InterruptedException {
        String marker = marker();
        Process process = started(marker, "exec");
        signal(process, "KILL");
        process.waitFor();
        long end = System.nanoTime() + SOON.toNanos();
        while (!processesWith(marker).isEmpty() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(processesWith(marker)).isEmpty();
    }

    /** Starts a program that ignores polite signals, and waits until it runs. */
    private Process started(String marker, String... command)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--", "sh", "-c", "trap '' INT TERM; sleep 60; exit", marker));
        Process process = Cli.in(directory).process(words.toArray(String[]::new)).start();
        long end = System.nanoTime() + SOON.toNanos();
        while (programsWith(marker).isEmpty() && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(programsWith(marker)).isNotEmpty();
        return process;
    }

    private static void signal(Process process, String name)
            throws IOException, InterruptedException {
        assertThat(
                        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                                .start()
                                .waitFor())
                .isZero();
    }

    private static String marker() {
        return "marker-" + UUID.randomUUID();
    }

    private static List<String> processesWith(String marker) throws IOException {
        return processes(line -> line.contains(marker));
    }

    /** Our own JVM has the marker too, and so has for a moment what it is about to start. */
    private static List<String> programsWith(String marker) throws IOException {
        return processes(line -> line.contains(marker) && line.startsWith("sh\0"));
    }

    private static List<String> processes(Predicate<String> commandLine) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(process ->
                            Character.isDigit(process.getFileName().toString().charAt(0)))
                    .filter(process -> commandLine.test(commandLine(process)))
                    .map(Path::toString)
                    .toList();
        }
    }

    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // gone since
        }
    }
}
