package dev.glovebox.run;

import dev.glovebox.run.spi.GraphSource;
import dev.glovebox.trace.Trace;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Finds the graphs of recorded runs. */
public final class KnownGraphs {

    private final Map<String, GraphSource> sources = new TreeMap<>();

    private KnownGraphs(Stream<GraphSource> sources) {
        sources.forEach(source -> {
            if (this.sources.putIfAbsent(source.kind(), source) != null) {
                throw new BadGraph("There are two graphs for runs of the kind " + source.kind());
            }
        });
    }

    /** All that are on the class path. */
    public static KnownGraphs onClassPath() {
        return new KnownGraphs(
                ServiceLoader.load(GraphSource.class).stream().map(ServiceLoader.Provider::get));
    }

    public static KnownGraphs of(GraphSource... sources) {
        return new KnownGraphs(Stream.of(sources));
    }

    /**
     * The graph of a run.
     *
     * @throws NotReplayable if nobody knows it, or what it needs was deleted
     */
    public Graph<?> graph(Trace trace, String run) {
        RecordedRun recorded = RecordedRun.of(trace, run);
        return source(recorded).graph(recorded);
    }

    /**
     * The graph of a run with another model.
     *
     * @throws NotReplayable if nobody knows it, it asks no model, or what it needs was deleted
     */
    public Graph<?> graph(Trace trace, String run, String model) {
        RecordedRun recorded = RecordedRun.of(trace, run);
        return source(recorded).graph(recorded, model);
    }

    private GraphSource source(RecordedRun run) {
        GraphSource source = sources.get(run.kind());
        if (source == null) {
            throw new NotReplayable(
                    "Nothing here knows how runs of the kind '%s' work; known are %s"
                            .formatted(run.kind(), sources.keySet()));
        }
        return source;
    }
}
