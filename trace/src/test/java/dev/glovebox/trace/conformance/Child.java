package dev.glovebox.trace.conformance;

import dev.glovebox.trace.spi.TraceStore;
import dev.glovebox.trace.store.PostgresStore;
import dev.glovebox.trace.store.SqliteStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another Java process that uses a store, and the orders it understands. */
public final class Child implements AutoCloseable {

    private static final long GUARD_MINUTES = 5;

    private final Process process;
    private final Path out;
    private final Path err;

    private Child(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts one with such an order. */
    public static Child start(String... order) throws IOException {
        return start(List.of(), order);
    }

    /** Starts one behind another command. */
    public static Child start(List<String> prefix, String... order) throws IOException {
        return start(prefix, Child.class, order);
    }

    /** Starts the main method of a class behind another command. */
    public static Child start(List<String> prefix, Class<?> main, String... arguments)
            throws IOException {
        Path out = Files.createTempFile("glovebox-child", ".out");
        Path err = Files.createTempFile("glovebox-child", ".err");
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx512m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        main.getName()));
        command.addAll(List.of(arguments));
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile())
                        .start();
        return new Child(process, out, err);
    }

    /** Waits until it has said something. */
    public void awaitLine() throws IOException, InterruptedException {
        while (Files.size(out) == 0) {
            if (!process.isAlive() && Files.size(out) == 0) {
                throw new AssertionError("Ended without a word: " + Files.readString(err));
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits for its end, and takes what it said in whole lines. */
    public List<String> lines() throws IOException, InterruptedException {
        if (!process.waitFor(GUARD_MINUTES, TimeUnit.MINUTES)) {
            throw new AssertionError("Does not end: " + Files.readString(err));
        }
        String text = Files.readString(out, StandardCharsets.UTF_8);
        List<String> lines = text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
        if (lines.isEmpty()) {
            throw new AssertionError("Ended without a word: " + Files.readString(err));
        }
        return lines;
    }

    /** What it complained of. */
    public String errors() throws IOException {
        return Files.readString(err, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly().onExit().join();
        Files.delete(out);
        Files.delete(err);
    }

    /** Opens the store with an address: that of a file, or of a PostgreSQL database. */
    public static TraceStore open(String address) {
        if (!address.startsWith("jdbc:")) {
            return SqliteStore.open(Path.of(address));
        }
        String[] words = address.split(" ");
        return PostgresStore.open(words[0], words[1], words[2]);
    }

    public static void main(String[] order) {
        try (TraceStore store = open(order[1])) {
            switch (order[0]) {
                case "race" -> System.out.println(RaceKit.race(store, order[2]));
                case "append" -> append(store, Integer.parseInt(order[2]));
                case "sequence" -> sequence(store, Integer.parseInt(order[2]));
                default -> throw new IllegalArgumentException(order[0]);
            }
        }
    }

    /** Appends to several runs at once, for ever, and tells what is acknowledged. */
    private static void append(TraceStore store, int runs) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < runs; i++) {
            String run = "run-" + i;
            threads.add(
                    Thread.startVirtualThread(() -> {
                        Chain chain = Chain.in(store, run);
                        while (true) {
                            store.append(chain.note("x".repeat(300))).join();
                            System.out.println(run + " " + (chain.size() - 1));
                        }
                    }));
        }
        threads.forEach(Child::join);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Appends one record after the other. */
    private static void sequence(TraceStore store, int records) {
        Chain chain = new Chain("sequence");
        for (int i = 0; i < records; i++) {
            store.append(chain.note("text")).join();
        }
        System.out.println(records);
    }
}
