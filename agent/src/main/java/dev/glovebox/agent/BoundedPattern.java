package dev.glovebox.agent;

import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Regular expressions that give up instead of trying for ever: those of the JDK can take
 * exponential time, and whoever writes the text chooses how long.
 */
public final class BoundedPattern {

    /** How often each character may be looked at, on average. */
    private static final long PER_CHARACTER = 200;

    private static final long AT_LEAST = 2_000_000;

    private BoundedPattern() {}

    /** The expression and the text together would take too long. */
    public static final class TooCostly extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private static final int LONGEST_QUOTE = 80;

        TooCostly(Pattern pattern) {
            super(
                    "It takes too long to see whether the text fits the pattern "
                            + Excerpt.line(pattern.pattern(), LONGEST_QUOTE),
                    null,
                    false,
                    false);
        }
    }

    /**
     * Whether it fits some part of a text.
     *
     * @throws TooCostly if that takes too long to find out
     */
    public static boolean finds(Pattern pattern, String text) {
        return asked(pattern, text, Matcher::find);
    }

    /** Whether it fits the whole of a text. */
    static boolean matches(Pattern pattern, String text) {
        return asked(pattern, text, Matcher::matches);
    }

    private static boolean asked(Pattern pattern, String text, Predicate<Matcher> question) {
        try {
            return question.test(matcher(pattern, text));
        } catch (StackOverflowError e) {
            throw new TooCostly(pattern);
        }
    }

    /** For whoever wants more than one match; it throws {@link TooCostly}, and overflows. */
    static Matcher matcher(Pattern pattern, String text) {
        return pattern.matcher(new Watched(pattern, text));
    }

    /** A text that can be looked at so many times. */
    private static final class Watched implements CharSequence {

        private final Pattern pattern;
        private final String text;
        private long left;

        Watched(Pattern pattern, String text) {
            this.pattern = pattern;
            this.text = text;
            this.left = AT_LEAST + PER_CHARACTER * text.length();
        }

        @Override
        public char charAt(int index) {
            if (--left < 0) {
                throw new TooCostly(pattern);
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return text.subSequence(start, end);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
