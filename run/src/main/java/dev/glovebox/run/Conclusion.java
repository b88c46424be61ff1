package dev.glovebox.run;

import dev.glovebox.trace.Conflict;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.TraceException;
import java.util.Optional;

/**
 * What a run came to, and whether that is sealed.
 *
 * @param unsealed why it is not, though all of it is recorded; empty if it is
 */
public record Conclusion<S>(Status<S> status, Optional<String> unsealed) {

    /**
     * Waits for a run. What only lacks its seal is read from the record: whoever records next seals
     * it, once that is possible again.
     *
     * @throws Suspended if the engine was closed before
     * @throws TraceException if what became of it could not be recorded, or somebody else has taken
     *     it over
     */
    public static <S> Conclusion<S> of(Run<S> run, Trace trace) {
        try {
            return new Conclusion<>(run.await(), Optional.empty());
        } catch (Conflict e) {
            throw e; // how it ends is somebody else's
        } catch (TraceException e) {
            Status<S> end = recorded(run, trace).orElseThrow(() -> e);
            return new Conclusion<>(end, Optional.of(e.getMessage()));
        }
    }

    private static <S> Optional<Status.Finished<S>> recorded(Run<S> run, Trace trace) {
        try {
            return RecordedRun.of(trace, run.name()).end(run.graph().state());
        } catch (TraceException e) {
            return Optional.empty(); // the store says nothing now
        }
    }
}
