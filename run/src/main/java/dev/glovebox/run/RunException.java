package dev.glovebox.run;

/** What can go wrong with a run, or in one. */
public abstract sealed class RunException extends RuntimeException
        permits AlreadyAnswered,
                BadGraph,
                EffectFailed,
                Failure,
                NotReplayable,
                OutcomeUnknown,
                Stop,
                Suspended {

    RunException(String message) {
        super(message);
    }

    RunException(String message, Throwable cause) {
        super(message, cause);
    }

    /** One sentence for people. */
    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
