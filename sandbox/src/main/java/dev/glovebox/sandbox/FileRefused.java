package dev.glovebox.sandbox;

/** A path in the box that is not there, not what was asked for, or leads out of the scratch. */
public final class FileRefused extends SandboxException {

    private static final long serialVersionUID = 1L;

    public FileRefused(String message) {
        super(message);
    }
}
