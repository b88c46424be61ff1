package dev.glovebox.agent;

/**
 * Something worth remembering.
 *
 * @param text in a sentence or a few, of at most {@value #MOST_CHARACTERS} characters
 * @param source who said so: a person, an agent, a document; it can be forgotten by it
 */
public record Fact(String text, String source) {

    public static final int MOST_CHARACTERS = 8_000;

    public Fact {
        if (text.isBlank() || text.length() > MOST_CHARACTERS) {
            throw new IllegalArgumentException(
                    "A fact has a text of 1 to "
                            + MOST_CHARACTERS
                            + " characters, not "
                            + text.strip().length());
        }
    }
}
