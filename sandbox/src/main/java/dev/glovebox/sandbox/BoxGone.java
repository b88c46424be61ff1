package dev.glovebox.sandbox;

/** The box was closed, or what held it was killed from inside; a new one must be opened. */
public final class BoxGone extends SandboxException {

    private static final long serialVersionUID = 1L;

    public BoxGone(String message) {
        super(message);
    }

    public BoxGone(String message, Throwable cause) {
        super(message, cause);
    }
}
