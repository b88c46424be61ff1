package dev.glovebox.agent;

import dev.glovebox.run.Runs;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A trace in memory, and an engine over that, for the time of one test. */
final class Engine implements AutoCloseable {

    private final Path keys;
    private final Trace trace;
    private final Runs runs;

    Engine() {
        try {
            keys = Files.createTempDirectory("glovebox-keys");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
    }

    /** What the tools gave back that were called in a run. */
    static List<String> results(TaskResult result) {
        return result.messages().stream()
                .filter(Message.ToolResult.class::isInstance)
                .map(Message::text)
                .toList();
    }

    Trace trace() {
        return trace;
    }

    Runs runs() {
        return runs;
    }

    @Override
    public void close() throws IOException {
        runs.close();
        trace.close();
        try (Stream<Path> all = Files.walk(keys)) {
            List<Path> inwards = all.sorted(Comparator.reverseOrder()).toList();
            for (Path path : inwards) {
                Files.delete(path);
            }
        }
    }
}
