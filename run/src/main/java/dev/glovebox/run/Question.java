package dev.glovebox.run;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Something that a person is asked.
 *
 * @param choices what may be answered; empty: anything
 * @param within how long the run waits for an answer; empty: for ever
 * @param otherwise what counts as the answer when none came in time; empty: the run stops then
 */
public record Question(
        String text, List<String> choices, Optional<Duration> within, Optional<String> otherwise) {

    static final String YES = "yes";
    static final String NO = "no";

    public Question {
        choices = List.copyOf(choices);
        if (otherwise.isPresent() && !choices.isEmpty() && !choices.contains(otherwise.get())) {
            throw new IllegalArgumentException(
                    "'" + otherwise.get() + "' is not among the choices " + choices);
        }
    }

    /** A question with any answer. */
    public static Question open(String text) {
        return new Question(text, List.of(), Optional.empty(), Optional.empty());
    }

    /** A question with a few possible answers. */
    public static Question choice(String text, String... choices) {
        return new Question(text, List.of(choices), Optional.empty(), Optional.empty());
    }

    /** Yes or no. */
    public static Question approval(String text) {
        return choice(text, YES, NO);
    }

    public Question within(Duration time) {
        return new Question(text, choices, Optional.of(time), otherwise);
    }

    public Question otherwise(String answer) {
        return new Question(text, choices, within, Optional.of(answer));
    }
}
