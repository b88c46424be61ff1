package dev.glovebox.sandbox;

/** A policy that says nonsense, or asks for something that no box may have. */
public final class InvalidPolicy extends SandboxException {

    private static final long serialVersionUID = 1L;

    public InvalidPolicy(String message) {
        super(message);
    }

    public InvalidPolicy(String message, Throwable cause) {
        super(message, cause);
    }
}
