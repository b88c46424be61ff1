package dev.glovebox.trace;

/** A signing or verifying key that cannot be used. */
public final class KeyProblem extends TraceException {

    public KeyProblem(String message) {
        super(message);
    }

    public KeyProblem(String message, Throwable cause) {
        super(message, cause);
    }
}
