package dev.glovebox.agent;

/**
 * What became of a task once. Long texts are cut in the middle.
 *
 * @param error what went wrong; may be empty
 * @param fix what was done about it; may be empty
 * @param outcome how it ended, such as {@code completed}
 * @param run the name of the run; it can be forgotten by it
 */
public record Episode(String task, String error, String fix, String outcome, String run) {

    static final int MOST_BYTES = 8_000;

    public Episode {
        if (task.isBlank()) {
            throw new IllegalArgumentException("An episode has a task");
        }
        task = Excerpt.ends(task, MOST_BYTES);
        error = Excerpt.ends(error, MOST_BYTES);
        fix = Excerpt.ends(fix, MOST_BYTES);
    }
}
