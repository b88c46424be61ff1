package dev.glovebox.agent;

import dev.glovebox.run.Context;
import java.util.Optional;

/** Says whether what an agent has come to is good enough. */
public interface Validator {

    /**
     * Looks at an answer; what it needs of the world it asks the context for. If it throws, the
     * answer could not be judged, and the model reads why; what the context throws ends the run.
     *
     * @return what is wrong with it, for the model to read; empty if nothing is
     */
    Optional<String> problem(String answer, Context context);
}
