package dev.glovebox.trace;

/** The store could not keep or give what it was asked to; what it acknowledged before is kept. */
public final class NotKept extends TraceException {

    public NotKept(String message) {
        super(message);
    }

    public NotKept(String message, Throwable cause) {
        super(message, cause);
    }
}
