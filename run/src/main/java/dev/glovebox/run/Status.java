package dev.glovebox.run;

import java.util.List;
import java.util.Optional;

/** What became of a run, for now or for good. */
public sealed interface Status<S> {

    /** The name of the run. */
    String run();

    /** Why it stopped; empty if it only waits. */
    Optional<StopReason> stop();

    /**
     * It has ended.
     *
     * @param state the last one that it reached: the result, or as much of it as there is
     * @param spent over all its branches, and all times it was resumed
     * @param left of its budget
     */
    record Finished<S>(String run, StopReason reason, S state, Cost spent, Cost left)
            implements Status<S> {

        @Override
        public Optional<StopReason> stop() {
            return Optional.of(reason);
        }

        public boolean isCompleted() {
            return reason instanceof StopReason.Completed;
        }
    }

    /** Somebody must answer before it can go on. Nothing of it runs. */
    record Waiting<S>(String run, List<OpenQuestion> questions) implements Status<S> {

        @Override
        public Optional<StopReason> stop() {
            return Optional.empty();
        }
    }

    /**
     * The program does something else than it did before the run was interrupted. Nothing was
     * recorded of that: with the right program the run can be resumed.
     */
    record Differs<S>(String run, Divergence divergence) implements Status<S> {

        @Override
        public Optional<StopReason> stop() {
            return Optional.of(new StopReason.Diverged(divergence.sentence()));
        }
    }
}
