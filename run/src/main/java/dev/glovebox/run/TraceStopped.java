package dev.glovebox.run;

import dev.glovebox.trace.TraceException;

/** The run cannot be recorded any more, so it cannot go on; it is not finished. */
final class TraceStopped extends RuntimeException {

    private final TraceException problem;

    private TraceStopped(TraceException problem) {
        super(problem.getMessage(), problem);
        this.problem = problem;
    }

    static void check(Throwable e) {
        if (e instanceof TraceException problem) {
            throw new TraceStopped(problem);
        }
    }

    TraceException problem() {
        return problem;
    }
}
