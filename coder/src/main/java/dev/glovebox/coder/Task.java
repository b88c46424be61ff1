package dev.glovebox.coder;

import dev.glovebox.sandbox.Language;
import java.util.Optional;

/**
 * What somebody wants.
 *
 * @param sentence in their own words
 * @param language that it must be in; empty: whichever the sentence names, or fits
 */
public record Task(String sentence, Optional<Language> language) {

    public static Task of(String sentence) {
        return new Task(sentence, Optional.empty());
    }

    public Task in(Language wanted) {
        return new Task(sentence, Optional.of(wanted));
    }
}
