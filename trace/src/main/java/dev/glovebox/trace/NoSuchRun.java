package dev.glovebox.trace;

/** There is no run of this name, or it is not of the kind that was asked for. */
public final class NoSuchRun extends TraceException {

    public NoSuchRun(String message) {
        super(message);
    }
}
