package dev.glovebox.run;

/** What a run needs to be resumed or replayed is not there, or is another graph's. */
public final class NotReplayable extends RunException {

    public NotReplayable(String message) {
        super(message);
    }
}
