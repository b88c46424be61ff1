package dev.glovebox.coder;

import dev.glovebox.run.RecordedRun;
import dev.glovebox.run.Run;
import dev.glovebox.run.Status;
import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.util.Optional;

/**
 * What a run of a pipeline came to, and whether that is sealed.
 *
 * @param unsealed why it is not, though all of it is recorded; empty if it is
 */
public record Conclusion(Status<Work> status, Optional<String> unsealed) {

    /**
     * Waits for a run. What only lacks its seal is read from the record: whoever records next seals
     * it, once that is possible again.
     *
     * @throws dev.glovebox.run.Suspended if the engine was closed before
     * @throws TraceException if what became of it could not be recorded, or somebody else has taken
     *     it over
     */
    public static Conclusion of(Run<Work> run, Trace trace) {
        try {
            return new Conclusion(run.await(), Optional.empty());
        } catch (Conflict e) {
            throw e; // how it ends is somebody else's
        } catch (TraceException e) {
            Status<Work> end = recorded(run.name(), trace).orElseThrow(() -> e);
            return new Conclusion(end, Optional.of(e.getMessage()));
        }
    }

    private static Optional<Status.Finished<Work>> recorded(String run, Trace trace) {
        try {
            return RecordedRun.of(trace, run).end(Work.class);
        } catch (TraceException e) {
            return Optional.empty(); // the store says nothing now
        }
    }
}
