package dev.glovebox.run;

import java.util.List;
import java.util.Optional;

/**
 * What came of replaying a run.
 *
 * @param divergence where the program does something else than was recorded, if it does
 * @param recorded the digest of what the run derived; empty if the run is not finished
 * @param derived the digest of what the replay derived
 * @param repeated effects that were really performed again
 */
public record Replay(
        String run,
        Optional<Divergence> divergence,
        Optional<String> recorded,
        String derived,
        List<Repeated> repeated) {

    /**
     * An effect that was performed again.
     *
     * @param difference what was not the same, if something was not
     * @param problem why nothing came of it, if so
     */
    public record Repeated(
            String key,
            String kind,
            String name,
            Optional<String> difference,
            Optional<String> problem) {

        /** Whether it came to the same. */
        public boolean isReproduced() {
            return difference.isEmpty() && problem.isEmpty();
        }
    }

    /** Whether the run has come to its end, so that all of it could be replayed. */
    public boolean isFinished() {
        return recorded.isPresent();
    }

    /** Whether the program still derives what was recorded, all of it. */
    public boolean isFaithful() {
        return divergence.isEmpty() && recorded.map(derived::equals).orElse(true);
    }
}
