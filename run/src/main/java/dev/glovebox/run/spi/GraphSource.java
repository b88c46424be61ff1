package dev.glovebox.run.spi;

import dev.glovebox.run.Graph;
import dev.glovebox.run.NotReplayable;
import dev.glovebox.run.RecordedRun;

/**
 * Knows the graph of recorded runs of one kind, so that they can be resumed, replayed and forked by
 * whoever has only the record. Found by {@link java.util.ServiceLoader}.
 */
public interface GraphSource {

    /** The kind of runs: the name of their graph. */
    String kind();

    /**
     * The graph that a run was recorded with, or what it has become since.
     *
     * @throws NotReplayable if what it needs was deleted
     */
    Graph<?> graph(RecordedRun run);

    /**
     * The graph of a run with another model, for a fork.
     *
     * @throws NotReplayable if its runs ask no model, or what it needs was deleted
     */
    default Graph<?> graph(RecordedRun run, String model) {
        throw new NotReplayable(
                "Runs of the kind '" + kind() + "' ask no model, so there is none to replace");
    }
}
