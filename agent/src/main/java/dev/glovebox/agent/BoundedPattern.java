package dev.glovebox.agent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A regular expression that gives up instead of trying for ever. */
final class BoundedPattern {

    /** The text and the expression together would take too long. */
    static final class TooCostly extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooCostly(String pattern) {
            super(
                    "It takes too long to see whether the text fits the pattern "
                            + Excerpt.line(pattern, LONGEST_QUOTE));
        }
    }

    private static final int LONGEST_QUOTE = 80;

    // A second or so; an ordinary expression looks a few times at each character.
    private static final int MOST_LOOKS = 10_000_000;

    private final Pattern pattern;

    BoundedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Whether it fits some part of a text. */
    boolean finds(String text) {
        return guarded(matcher(text), Matcher::find);
    }

    /** Whether it fits the whole of a text. */
    boolean matches(String text) {
        return guarded(matcher(text), Matcher::matches);
    }

    private interface Question {
        boolean ask(Matcher matcher);
    }

    private boolean guarded(Matcher matcher, Question question) {
        try {
            return question.ask(matcher);
        } catch (StackOverflowError e) {
            throw new TooCostly(pattern.pattern());
        }
    }

    private Matcher matcher(String text) {
        return pattern.matcher(new Watched(text, new int[] {MOST_LOOKS}));
    }

    /** A text that can be looked at so many times. */
    private final class Watched implements CharSequence {

        private final CharSequence text;
        private final int[] left;

        Watched(CharSequence text, int[] left) {
            this.text = text;
            this.left = left;
        }

        @Override
        public char charAt(int index) {
            if (--left[0] < 0) {
                throw new TooCostly(pattern.pattern());
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Watched(text.subSequence(start, end), left);
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
