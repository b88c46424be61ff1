package dev.glovebox.run;

/**
 * Leaves the nodes of a run, which is then not where their code thinks it is. An error, so that a
 * node that catches exceptions does not keep it.
 */
abstract sealed class Unwinding extends Error {

    private Unwinding(String message) {
        // Without a stack trace: these are part of the ordinary course.
        super(message, null, false, false);
    }

    /** Somebody else goes on with the run, since this thread did not come back in time. */
    static final class Left extends Unwinding {
        Left() {
            super("The run was left behind here, and goes on elsewhere");
        }
    }

    /** A person must answer before it can go on. */
    static final class Paused extends Unwinding {
        Paused() {
            super("The run waits for an answer");
        }
    }

    /** It was cancelled, or its time is over. */
    static final class Halted extends Unwinding {
        private final StopReason reason;

        Halted(StopReason reason) {
            super("The run was stopped: " + reason);
            this.reason = reason;
        }

        StopReason reason() {
            return reason;
        }
    }

    /** The run cannot be recorded or read any more, so it cannot go on; it is not finished. */
    static final class Broken extends Unwinding {
        private final RuntimeException problem;

        Broken(RuntimeException problem) {
            super("The run cannot go on: " + problem.getMessage());
            this.problem = problem;
        }

        RuntimeException problem() {
            return problem;
        }
    }

    /** A replay has come to where the recording ends. */
    static final class OffTape extends Unwinding {
        private final Divergence divergence;

        OffTape(Divergence divergence) {
            super("Not recorded: " + divergence.sentence());
            this.divergence = divergence;
        }

        Divergence divergence() {
            return divergence;
        }
    }

    /** Something is not as it was recorded. */
    static final class Differs extends Unwinding {
        private final Divergence divergence;

        Differs(Divergence divergence) {
            super(divergence.sentence());
            this.divergence = divergence;
        }

        Divergence divergence() {
            return divergence;
        }
    }
}
