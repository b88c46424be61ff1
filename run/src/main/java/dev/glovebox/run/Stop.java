package dev.glovebox.run;

/** Ends the run, for a reason, with the state that it has reached. */
public final class Stop extends RunException {

    private final StopReason reason;
    private final boolean hidden;

    public Stop(StopReason reason) {
        this(reason, false);
    }

    /**
     * Ends it.
     *
     * @param hidden whether the reason tells of something private
     */
    Stop(StopReason reason, boolean hidden) {
        super("The run stops: " + reason);
        this.reason = reason;
        this.hidden = hidden;
    }

    boolean isHidden() {
        return hidden;
    }

    public StopReason reason() {
        return reason;
    }
}
