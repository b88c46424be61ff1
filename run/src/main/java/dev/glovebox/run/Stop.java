package dev.glovebox.run;

/** Ends the run, for a reason, with the state that it has reached. */
public final class Stop extends RunException {

    private final StopReason reason;

    public Stop(StopReason reason) {
        super("The run stops: " + reason);
        this.reason = reason;
    }

    public StopReason reason() {
        return reason;
    }
}
