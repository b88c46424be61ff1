package dev.glovebox.trace;

/** Bytes that are not what the trace format says they should be. */
public final class Malformed extends TraceException {

    public Malformed(String message) {
        super(message);
    }
}
