package dev.glovebox.coder;

import java.util.Optional;

/**
 * How a pipeline works: with the record of a run, all that is needed to go on with it.
 *
 * @param policy of the boxes in which code runs, in canonical JSON
 * @param tier the wall, if it is asked for by name
 * @param model the models of all roles, from small to large, as in {@code openai:gpt-4o-mini,
 *     openai:gpt-4o}; empty: it works without any
 * @param attempts how many are made at most
 */
public record Settings(String policy, Optional<String> tier, String model, int attempts) {

    /** How many attempts are made if nobody says otherwise. */
    public static final int ATTEMPTS = 3;

    public Settings {
        if (attempts < 1) {
            throw new IllegalArgumentException("At least one attempt must be made");
        }
    }
}
