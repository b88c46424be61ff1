package dev.glovebox.cli;

/** What a program produced could not be handed on. */
final class OutputLost extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OutputLost(String message, Throwable cause) {
        super(message, cause);
    }

    OutputLost(String message) {
        super(message);
    }
}
