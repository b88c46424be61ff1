package dev.glovebox.sandbox.docker;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A sandbox of gVisor without an engine: a process of ours, and its standard streams. */
final class DirectBox implements Vessel, Line {

    private static final Path GROUPS = Path.of("/sys/fs/cgroup");
    private static final long PATIENCE_SECONDS = 10;
    private static final int MOST_COMPLAINTS = 4096;

    /**
     * Where gVisor waits for a box itself, it removes its cgroup when that has ended, and with it
     * the count of what was killed for want of memory. The second command stays for Java, which
     * closes the streams of a process that has ended.
     */
    private static final String RUN =
            """
            bundle=$1; shift
            "$@" run --detach --bundle "$bundle" "$0" && exec "$@" wait "$0" >/dev/null
            """;

    private final List<String> runsc;
    private final String id;
    private final Path folder;
    private final Process process;
    private final Outbox outbox = new Outbox();

    private DirectBox(List<String> runsc, String id, Path folder, Process process) {
        this.runsc = runsc;
        this.id = id;
        this.folder = folder;
        this.process = process;
    }

    /**
     * Starts a box.
     *
     * @param runsc the command line up to the action
     */
    static DirectBox start(List<String> runsc, String id, Path folder) throws IOException {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", RUN, id, folder.toString()));
        words.addAll(runsc);
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().put("PATH", Launch.PATH);
        DirectBox box = new DirectBox(runsc, id, folder, builder.start());
        Thread.ofVirtual().start(box::deliver);
        return box;
    }

    private void deliver() {
        try (OutputStream out = process.getOutputStream()) {
            InputStream orders = outbox.reader();
            byte[] buffer = new byte[1 << 16];
            for (int size = orders.read(buffer); size >= 0; size = orders.read(buffer)) {
                out.write(buffer, 0, size);
                out.flush();
            }
        } catch (IOException e) {
            // Its end is told by the other direction.
        }
    }

    @Override
    public Line line() {
        return this;
    }

    @Override
    public InputStream input() {
        return process.getInputStream();
    }

    @Override
    public OutputStream output() {
        return outbox;
    }

    @Override
    public String complaints() {
        try {
            return new String(
                    process.getErrorStream().readNBytes(MOST_COMPLAINTS),
                    StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    @Override
    public void close() {
        outbox.close();
    }

    @Override
    public void kill() {
        act(runsc, "kill", id, "KILL");
    }

    @Override
    public void remove() {
        forget(runsc, id);
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
            Bundle.delete(folder);
        } catch (IOException e) {
            // It is found by its name and removed later.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Removes what gVisor knows of a box, its cgroup included. */
    static void forget(List<String> runsc, String id) {
        act(runsc, "delete", "--force", id);
    }

    private static void act(List<String> runsc, String... action) {
        List<String> words = new ArrayList<>(runsc);
        words.addAll(List.of(action));
        try {
            Process command =
                    new ProcessBuilder(words)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            if (!command.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                command.destroyForcibly();
            }
        } catch (IOException e) {
            // Then it is gone as well.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** gVisor does not say why its kernel was ended; the host's counts what it ended itself. */
    @Override
    public boolean outOfMemory() {
        return Stream.of("memory/" + id + "/memory.oom_control", id + "/memory.events")
                .map(GROUPS::resolve)
                .filter(Files::isReadable)
                .flatMap(DirectBox::lines)
                .anyMatch(line -> line.matches("oom_kill [1-9]\\d*"));
    }

    private static Stream<String> lines(Path file) {
        try {
            return Files.readAllLines(file).stream();
        } catch (IOException e) {
            return Stream.empty();
        }
    }
}
