package dev.glovebox.agent;

import dev.glovebox.run.Context;
import dev.glovebox.run.RunException;
import dev.glovebox.trace.TraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/** Holds answers against the record that they must make, and against validators. */
final class Judge {

    private static final int LONGEST_REASON = 500;

    /** As far as one looks: there may be a circle of them. */
    private static final int MOST_CAUSES = 20;

    private final List<Validator> validators = new ArrayList<>();

    Judge(Agent.Builder parts) {
        parts.output.map(RecordAnswer::new).ifPresent(validators::add);
        validators.addAll(parts.validators);
    }

    /** The first thing that is wrong with an answer; empty if nothing is. */
    Optional<String> problem(String answer, Context context) {
        return validators.stream()
                .flatMap(validator -> problem(validator, answer, context).stream())
                .findFirst();
    }

    /**
     * A validator that expects less than a model may write throws, and the model has to write
     * something else. What the run itself throws ends the run, as it does in any other node.
     */
    private static Optional<String> problem(Validator validator, String answer, Context context) {
        try {
            return validator.problem(answer, context);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (isOfTheRun(e)) {
                throw e;
            }
            String why = e.getMessage() == null ? "" : ": " + e.getMessage();
            return Optional.of(
                    "The answer could not be judged. "
                            + Excerpt.line(e.getClass().getSimpleName() + why, LONGEST_REASON));
        }
    }

    /** Also within another exception: it may tell of something private, which no model reads. */
    private static boolean isOfTheRun(Throwable problem) {
        @Nullable Throwable at = problem;
        for (int i = 0; at != null && i < MOST_CAUSES; i++) {
            if (at instanceof RunException
                    || at instanceof TraceException
                    || at instanceof CancellationException) {
                return true;
            }
            at = at.getCause();
        }
        return false;
    }
}
