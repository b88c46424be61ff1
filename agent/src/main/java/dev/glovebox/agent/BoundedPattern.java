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
     * How often characters may be looked at, in all texts together: of many short ones each by
     * itself would not take too long.
     */
    static final class Effort {

        private long left;

        private Effort(long left) {
            this.left = left;
        }

        /** Enough for texts of so many characters together. */
        static Effort of(long characters) {
            return new Effort(AT_LEAST + PER_CHARACTER * characters);
        }

        private boolean isOver() {
            return --left < 0;
        }
    }

    /**
     * Whether it fits some part of a text.
     *
     * @throws TooCostly if that takes too long to find out
     */
    public static boolean finds(Pattern pattern, String text) {
        return finds(pattern, text, Effort.of(text.length()));
    }

    /** The same of one of several texts. */
    static boolean finds(Pattern pattern, String text, Effort effort) {
        return asked(new Watched(pattern, text, effort), Matcher::find);
    }

    /** Whether it fits the whole of a text. */
    static boolean matches(Pattern pattern, String text) {
        return asked(new Watched(pattern, text, Effort.of(text.length())), Matcher::matches);
    }

    private static boolean asked(Watched text, Predicate<Matcher> question) {
        try {
            return question.test(text.pattern.matcher(text));
        } catch (StackOverflowError e) {
            throw new TooCostly(text.pattern);
        }
    }

    /** For whoever wants more than one match; it throws {@link TooCostly}, and overflows. */
    static Matcher matcher(Pattern pattern, String text) {
        return pattern.matcher(new Watched(pattern, text, Effort.of(text.length())));
    }

    /** A text that can be looked at so many times. */
    private static final class Watched implements CharSequence {

        private final Pattern pattern;
        private final String text;
        private final Effort effort;

        Watched(Pattern pattern, String text, Effort effort) {
            this.pattern = pattern;
            this.text = text;
            this.effort = effort;
        }

        @Override
        public char charAt(int index) {
            if (effort.isOver()) {
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
