package dev.glovebox.trace;

/** Somebody else has appended to the run: whoever gets this does not own it any more. */
public final class Conflict extends TraceException {

    private final String run;
    private final long seq;

    public Conflict(String run, long seq) {
        super("The run " + run + " was continued by somebody else: record " + seq + " is not ours");
        this.run = run;
        this.seq = seq;
    }

    public String run() {
        return run;
    }

    /** Where we wanted to append. */
    public long seq() {
        return seq;
    }
}
