package dev.glovebox.run.support;

/** An exception that fails to say what it is. */
public final class Speechless extends RuntimeException {

    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
        throw new IllegalStateException("There are no words for it");
    }
}
