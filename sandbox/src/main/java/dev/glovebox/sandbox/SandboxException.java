package dev.glovebox.sandbox;

import java.util.Objects;

/**
 * What can go wrong before or beside a program; how a program itself ends is an {@link Outcome}.
 */
public abstract sealed class SandboxException extends RuntimeException
        permits BoxGone, FileRefused, InvalidPolicy, NotEnforceable {

    private static final long serialVersionUID = 1L;

    SandboxException(String message) {
        super(message);
    }

    SandboxException(String message, Throwable cause) {
        super(message, cause);
    }

    /** What happened, to which thing, and what to do about it. */
    @Override
    public String getMessage() {
        return Objects.requireNonNull(super.getMessage());
    }
}
