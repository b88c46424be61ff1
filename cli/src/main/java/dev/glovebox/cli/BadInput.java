package dev.glovebox.cli;

/**
 * A command line that says nonsense or names something that cannot be used; nothing was started.
 */
final class BadInput extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadInput(String message) {
        super(message);
    }

    BadInput(String message, Throwable cause) {
        super(message, cause);
    }
}
