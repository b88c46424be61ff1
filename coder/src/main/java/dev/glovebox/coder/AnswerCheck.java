package dev.glovebox.coder;

import dev.glovebox.agent.BoundedPattern;
import dev.glovebox.agent.Excerpt;
import dev.glovebox.sandbox.Language;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * What a model wants to be true of what a program did.
 *
 * @param value the exit code, the expression, the text, or the source of a program
 */
record AnswerCheck(Kind kind, String value) {

    private static final int LONGEST_EXPRESSION = 500;
    private static final int LONGEST_TEXT = 64 * 1024;
    private static final int LONGEST_QUOTE = 80;
    private static final int MOST_LETTERS = 16;
    private static final int MOST_CODE = 255;

    /** Expressions that explode do so on a few dozen characters; a budget is spent on this many. */
    private static final int PROBE = 400;

    enum Kind {
        EXITS,
        MATCHES,
        PRINTS,
        PASSES
    }

    /** What is wrong with it, for the model to read. */
    Optional<String> problem(Language language) {
        if (value.length() > LONGEST_TEXT) {
            return Optional.of("A check may have at most %,d characters".formatted(LONGEST_TEXT));
        }
        return switch (kind) {
            case EXITS ->
                    value.strip().matches("\\d{1,3}")
                                    && Integer.parseInt(value.strip()) <= MOST_CODE
                            ? Optional.empty()
                            : Optional.of(
                                    "The value of EXITS is an exit code from 0 to 255, not '%s'"
                                            .formatted(Excerpt.line(value, LONGEST_QUOTE)));
            case MATCHES -> expression();
            case PRINTS -> empty();
            case PASSES -> empty().or(() -> TestEnd.of(language).problem(value));
        };
    }

    private Optional<String> empty() {
        return value.isBlank()
                ? Optional.of("The value of %s may not be empty".formatted(kind))
                : Optional.empty();
    }

    private Optional<String> expression() {
        String why;
        if (value.isEmpty() || value.length() > LONGEST_EXPRESSION) {
            why =
                    "it has %d characters, and may have 1 to %d"
                            .formatted(value.length(), LONGEST_EXPRESSION);
        } else {
            why = unusable();
        }
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "The regular expression '%s' cannot be used: %s"
                                .formatted(Excerpt.line(value, LONGEST_QUOTE), why));
    }

    private String unusable() {
        Pattern pattern;
        try {
            pattern = Pattern.compile(value);
        } catch (PatternSyntaxException e) {
            return Excerpt.line(e.getDescription(), LONGEST_QUOTE);
        } catch (StackOverflowError e) {
            return "it is nested too deeply";
        }
        String letters =
                value.codePoints()
                        .filter(Character::isLetterOrDigit)
                        .distinct()
                        .limit(MOST_LETTERS)
                        .collect(
                                StringBuilder::new,
                                StringBuilder::appendCodePoint,
                                StringBuilder::append)
                        .toString();
        try {
            Stream.concat(
                            Stream.of("a", "0", " ", "a ", letters),
                            letters.codePoints().mapToObj(Character::toString))
                    .filter(unit -> !unit.isEmpty())
                    .forEach(unit ->
                            BoundedPattern.finds(
                                    pattern, unit.repeat(PROBE / unit.length() + 1) + "\u00a7"));
        } catch (BoundedPattern.TooCostly e) {
            return "it takes too long on long texts; do not nest repetitions";
        }
        return "";
    }

    /**
     * The check, which has no problem.
     *
     * @param number by which a program of its own gets its name
     */
    Check check(Language language, int number) {
        return switch (kind) {
            case EXITS -> new Check.Exits(Integer.parseInt(value.strip()));
            case MATCHES -> new Check.Matches(value);
            case PRINTS -> new Check.Prints(value);
            case PASSES ->
                    new Check.Passes(
                            "check-" + number + "-" + language.filename(),
                            AnswerProgram.unfenced(value));
        };
    }
}
