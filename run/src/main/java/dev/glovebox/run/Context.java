package dev.glovebox.run;

import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The only door of a node to the world.
 *
 * <p>What comes through it is recorded, and when the node is run again, after a crash or in a
 * replay, it comes from the record. So a node must use it from its own thread only, and in the same
 * order each time.
 */
public interface Context {

    /**
     * Does something to the world, or asks something of it.
     *
     * @throws EffectFailed if it was not done
     * @throws OutcomeUnknown if nobody knows whether it was
     * @throws Stop if it does not fit into the budget, is refused or not approved
     */
    <A, R> R perform(Effect<A, R> effect);

    /**
     * Does several things at once.
     *
     * @return what came of each, in their order
     * @throws RunException the first one that is not a result, when all have ended
     */
    <R> List<R> performAll(List<? extends Effect<?, R>> effects);

    /**
     * Asks a person. The run waits without a thread, also for days and through restarts; whoever
     * answers may be in another process.
     */
    Answer ask(Question question);

    Instant now();

    /** Random numbers, the same ones whenever the node is run again. */
    RandomGenerator random();

    /** Records something for people; nothing private, it cannot be redacted. */
    void note(String text);

    /** The name of the run. */
    String run();

    /** Where in the graph the node is. */
    String path();
}
