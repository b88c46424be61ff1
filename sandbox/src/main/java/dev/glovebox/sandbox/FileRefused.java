package dev.glovebox.sandbox;

/** A path in the box that is not there, not what was asked for, or leads out of the scratch. */
public final class FileRefused extends SandboxException {

    private static final long serialVersionUID = 1L;

    private final boolean missing;

    public FileRefused(String message) {
        this(message, false);
    }

    private FileRefused(String message, boolean missing) {
        super(message);
        this.missing = missing;
    }

    /** For a path where there is nothing. */
    public static FileRefused missing(String message) {
        return new FileRefused(message, true);
    }

    /** Whether there is nothing, as opposed to something that is refused. */
    public boolean isMissing() {
        return missing;
    }
}
