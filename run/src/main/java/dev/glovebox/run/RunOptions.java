package dev.glovebox.run;

/**
 * How a run is started.
 *
 * @param title one line for people; nothing private
 * @param secret whether all its content is private: then digests tell nothing
 */
public record RunOptions(String title, Budget budget, boolean secret) {

    public static RunOptions titled(String title) {
        return new RunOptions(title, Budget.unlimited(), false);
    }

    public RunOptions budget(Budget budget) {
        return new RunOptions(title, budget, secret);
    }

    /** Keeps all content of the run as private. */
    public RunOptions inPrivate() {
        return new RunOptions(title, budget, true);
    }
}
