package dev.glovebox.trace;

/** Something about a trace that its caller must know. */
public abstract sealed class TraceException extends RuntimeException
        permits Conflict, Malformed, NoSuchRun, NotKept, KeyProblem {

    private final String message;

    TraceException(String message) {
        super(message);
        this.message = message;
    }

    TraceException(String message, Throwable cause) {
        super(message, cause);
        this.message = message;
    }

    /** One sentence for people. */
    @Override
    public String getMessage() {
        return message;
    }
}
