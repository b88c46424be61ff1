package dev.glovebox.agent;

import dev.glovebox.run.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server that is a program of its own: lines go in, and lines come out.
 *
 * <p>It has the rights of the user. It may write without end and read nothing, and ends with all
 * that it has started.
 */
final class McpProcess implements AutoCloseable {

    /** What it gets of our environment besides what it is given. */
    static final Set<String> INHERITED = Set.of("PATH", "HOME", "USER", "LANG", "TMPDIR");

    static final int MOST_LINE = 4 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(McpProcess.class);
    private static final int MOST_UNREAD = 64;
    private static final int MOST_STDERR_LINE = 1000;
    private static final int MOST_STDERR = 1 << 20;
    private static final Duration TO_END = Duration.ofSeconds(2);
    private static final byte[] END = {};

    private final String name;
    private final Process process;
    private final BlockingQueue<byte[]> unread = new ArrayBlockingQueue<>(MOST_UNREAD);
    private final Set<ProcessHandle> family = new LinkedHashSet<>();
    private boolean closed;
    private volatile String lastWords = "";
    private @Nullable Thread errors;

    private McpProcess(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a program.
     *
     * @throws Failure if that cannot be done
     */
    static McpProcess start(String name, List<String> command, Map<String, String> environment) {
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().keySet().retainAll(INHERITED);
        try {
            builder.environment().putAll(environment);
            return new McpProcess(name, builder.start());
        } catch (IOException e) {
            // The message of the exception has only the command and why.
            throw notStarted(name, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            // That of this one has what it was given, which may be a secret.
            throw notStarted(name, "a variable has a name or a value that none can have");
        }
    }

    private static Failure notStarted(String name, String why) {
        return Failure.lasting(McpProblem.NOT_STARTED, name + ": it could not be started: " + why);
    }

    /**
     * Begins to read.
     *
     * @param lines gets each line that it writes
     * @param ended is told once why there will be no more
     */
    void listen(Consumer<String> lines, Consumer<Failure> ended) {
        thread("stdin", this::write);
        errors = thread("stderr", this::readErrors);
        thread(
                "stdout",
                () -> {
                    Failure why = read(lines);
                    ended.accept(why);
                    close();
                });
    }

    private Thread thread(String what, Runnable work) {
        // Reading from a pipe would occupy the carrier of a virtual thread.
        return Thread.ofPlatform().daemon().name(name + " " + what).start(work);
    }

    /**
     * Hands it a line.
     *
     * @return false if it has not read what it got before
     */
    boolean send(byte[] line) {
        return unread.offer(line);
    }

    private void write() {
        try (OutputStream in = process.getOutputStream()) {
            for (byte[] line = unread.take(); line.length > 0; line = unread.take()) {
                in.write(line);
                in.write('\n');
                in.flush();
            }
        } catch (IOException e) {
            LOG.debug("{} reads no more: {}", name, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Failure read(Consumer<String> lines) {
        byte[] buffer = new byte[16 << 10];
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        try (InputStream out = process.getInputStream()) {
            for (int count = out.read(buffer); count >= 0; count = out.read(buffer)) {
                int start = 0;
                for (int i = 0; i < count; i++) {
                    if (buffer[i] == '\n') {
                        line.write(buffer, start, i - start);
                        start = i + 1;
                        lines.accept(line.toString(StandardCharsets.UTF_8));
                        line = new ByteArrayOutputStream(); // a long one is not kept
                    }
                }
                line.write(buffer, start, count - start);
                if (line.size() > MOST_LINE) {
                    return Failure.lasting(
                            McpProblem.TOO_MUCH,
                            "%s: it wrote more than %d bytes without an end of line"
                                    .formatted(name, MOST_LINE));
                }
            }
            return gone();
        } catch (IOException e) {
            return gone();
        } catch (Failure e) {
            return e;
        }
    }

    private Failure gone() {
        String how = "it closed its output";
        try {
            if (process.waitFor(TO_END.toMillis(), TimeUnit.MILLISECONDS)) {
                how = "it ended with exit code " + process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Failure.lasting(McpProblem.GONE, name + ": " + how);
    }

    private void readErrors() {
        byte[] buffer = new byte[MOST_STDERR_LINE];
        long total = 0;
        try (InputStream errors = process.getErrorStream()) {
            for (int count = errors.read(buffer); count >= 0; count = errors.read(buffer)) {
                String words =
                        Excerpt.seen(
                                new String(buffer, 0, count, StandardCharsets.UTF_8),
                                MOST_STDERR_LINE);
                String both = lastWords + words;
                lastWords = Excerpt.last(both, MOST_STDERR_LINE);
                total += count;
                // The rest is read as well, lest it waits for a reader.
                if (total <= MOST_STDERR) {
                    LOG.debug("{} says: {}", name, words);
                }
            }
        } catch (IOException e) {
            LOG.debug("{} says no more: {}", name, e.getMessage());
        }
    }

    /** What it last wrote to its standard error, for whoever wonders why it ended. */
    String lastWords() throws InterruptedException {
        if (errors != null) {
            errors.join(TO_END);
        }
        return lastWords.strip();
    }

    /** Remembers what it has started by now: later it may have ended and be no parent of it. */
    synchronized void meetFamily() {
        process.descendants().forEach(family::add);
    }

    /** Lets it end, and ends it and all that it has started if it does not. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        meetFamily();
        do {
            unread.clear();
        } while (!unread.offer(END));
        await(process.toHandle(), System.nanoTime() + TO_END.toNanos());
        meetFamily();
        family.add(process.toHandle());
        family.forEach(ProcessHandle::destroy);
        long end = System.nanoTime() + TO_END.toNanos();
        for (ProcessHandle one : family) {
            if (!await(one, end)) {
                one.destroyForcibly();
            }
        }
    }

    private static boolean await(ProcessHandle one, long end) {
        try {
            one.onExit().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }
}
