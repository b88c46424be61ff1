package dev.glovebox.agent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text that can be read only so often: regular expressions of the JDK can take exponential time,
 * and whoever writes the text chooses how long.
 */
final class CountedText implements CharSequence {

    /** How often each character may be read, on average. */
    private static final long PER_CHARACTER = 200;

    private static final long AT_LEAST = 2_000_000;

    private final String text;
    private long left;

    private CountedText(String text) {
        this.text = text;
        this.left = AT_LEAST + PER_CHARACTER * text.length();
    }

    /** The text was read too often. */
    static final class TooMuchWork extends RuntimeException {
        TooMuchWork() {
            super("A regular expression took too long", null, false, false);
        }
    }

    /** A matcher that throws {@link TooMuchWork} instead of going on for ever. */
    static Matcher matcher(Pattern pattern, String text) {
        return pattern.matcher(new CountedText(text));
    }

    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new TooMuchWork();
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
