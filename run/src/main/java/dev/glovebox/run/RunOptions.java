package dev.glovebox.run;

/**
 * How a run is started.
 *
 * @param title one line for people; nothing private
 * @param secret whether all its content is private: then digests tell nothing
 * @param isUntraced whether nothing is kept of it
 */
public record RunOptions(String title, Budget budget, boolean secret, boolean isUntraced) {

    public static RunOptions titled(String title) {
        return new RunOptions(title, Budget.unlimited(), false, false);
    }

    public RunOptions budget(Budget budget) {
        return new RunOptions(title, budget, secret, isUntraced);
    }

    /** Keeps all content of the run as private. */
    public RunOptions inPrivate() {
        return new RunOptions(title, budget, true, isUntraced);
    }

    /**
     * Keeps nothing of the run: for one that nobody will ask about. It cannot be resumed, replayed
     * or forked, it ends with the process, and what would ask a person stops it.
     */
    public RunOptions untraced() {
        return new RunOptions(title, budget, secret, true);
    }
}
