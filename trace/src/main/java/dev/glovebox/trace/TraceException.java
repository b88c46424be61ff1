package dev.glovebox.trace;

/** Something about a trace that its caller must know. */
public abstract sealed class TraceException extends RuntimeException
        permits Conflict, Malformed, NoSuchRun, NotKept, KeyProblem {

    TraceException(String message) {
        super(message);
    }

    TraceException(String message, Throwable cause) {
        super(message, cause);
    }
}
