package dev.glovebox.sandbox.docker;

/** The engine is not there, does not answer in time, or refused what was asked of it. */
final class EngineFault extends RuntimeException {

    private static final long serialVersionUID = 1L;

    EngineFault(String message, Throwable cause) {
        super(message, cause);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
