package dev.glovebox.coder;

import dev.glovebox.agent.Model;
import dev.glovebox.agent.Models;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Context;
import dev.glovebox.run.Graph;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.run.StopReason;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.TraceStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Runs pipelines, and roles alone, and looks at what was recorded. */
final class Bench implements AutoCloseable {

    private static final Map<String, String> KEYS =
            Map.of("ANTHROPIC_API_KEY", "a-key", "OPENAI_API_KEY", "another-key");

    private final Trace trace;
    private final Runs runs;

    Bench(Path keys) {
        this(new MemoryStore(), keys);
    }

    Bench(TraceStore store, Path keys) {
        trace = Trace.open(store, keys);
        runs = Runs.in(trace);
    }

    /** The vendor's real client, for a server of ours. */
    static Model model(String vendor, String name, VendorServer server) {
        return Models.open(vendor + ":" + name + "@" + server.address(), KEYS);
    }

    /**
     * What came of it.
     *
     * @param given what a role alone gave back
     */
    record Came<T>(String run, StopReason stop, Work work, Optional<T> given) {

        T got() {
            return given.orElseThrow(() -> new AssertionError(stop));
        }
    }

    Came<Work> run(Pipeline pipeline, Work work) {
        return came(
                runs.start(pipeline.graph(), work, RunOptions.titled("test")).awaitEnd(),
                Optional.empty());
    }

    Came<Work> resume(Pipeline pipeline, String run) {
        return came(runs.resume(pipeline.graph(), run).awaitEnd(), Optional.empty());
    }

    <T> Came<T> alone(Function<Context, T> role) {
        AtomicReference<@Nullable T> got = new AtomicReference<>();
        Graph<Work> graph =
                Graph.of("alone", Work.class)
                        .node(
                                "role",
                                (work, context) -> {
                                    got.set(role.apply(context));
                                    return work;
                                })
                        .edge("role", Graph.END)
                        .build();
        Status<Work> end =
                runs.start(graph, work(Task.of("x")), RunOptions.titled("alone")).awaitEnd();
        return came(end, Optional.ofNullable(got.get()));
    }

    static Work work(Task task) {
        return Work.of(task, new Settings("{}", "", Settings.ATTEMPTS));
    }

    private static <T> Came<T> came(Status<Work> status, Optional<T> got) {
        if (!(status instanceof Status.Finished<Work> end)) {
            throw new AssertionError(status);
        }
        return new Came<>(end.run(), end.reason(), end.state(), got);
    }

    boolean isFaithful(Pipeline pipeline, String run) {
        return runs.replay(pipeline.graph(), run).isFaithful();
    }

    List<Event> events(String run) {
        try (Stream<Entry> entries = trace.entries(run, 0)) {
            return entries.map(Entry::event).toList();
        }
    }

    /** The effects of a kind that were begun, in order. */
    List<Event.EffectIntent> effects(String run, String kind) {
        return events(run).stream()
                .filter(Event.EffectIntent.class::isInstance)
                .map(Event.EffectIntent.class::cast)
                .filter(intent -> intent.id().kind().equals(kind))
                .toList();
    }

    @Override
    public void close() {
        runs.close();
        trace.close();
    }
}
