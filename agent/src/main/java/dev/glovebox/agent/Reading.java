package dev.glovebox.agent;

import java.util.Arrays;

/**
 * A text as a reader takes it: invisible characters are gone, escapes of JSON and of URLs are
 * undone however often and in whatever order they were applied, letters that look like ASCII are.
 * Each character knows where it came from. To read a reading again changes nothing.
 */
final class Reading {

    private final String original;
    private final String text;
    private final int[] starts;

    private Reading(String original, String text, int[] starts) {
        this.original = original;
        this.text = text;
        this.starts = starts;
    }

    static Reading of(String original) {
        for (int i = 0; i < original.length(); i++) {
            char c = original.charAt(i);
            if (c == '\\' || c == '%' || c > '~') {
                return new Folding(original).fold();
            }
        }
        return new Reading(original, original, new int[0]);
    }

    String text() {
        return text;
    }

    boolean differs() {
        return !text.equals(original);
    }

    /** Where in the original a character began; what is invisible belongs to the one before. */
    int origin(int index) {
        if (starts.length == 0) {
            return index;
        }
        return index < text.length() ? starts[index] : original.length();
    }

    /** Whether a character is in the original as it is here. */
    boolean isLiteral(int index) {
        return original.charAt(origin(index)) == text.charAt(index);
    }

    /**
     * Whether a character is written as an escape, or has a backslash before it that escapes it;
     * where backslashes escape each other none is left for it.
     */
    boolean isEscaped(int index) {
        int from = origin(index);
        int at = origin(index + 1) - 1;
        while (at > from && original.charAt(at) != text.charAt(index)) {
            at--;
        }
        int first = at;
        while (first > 0 && original.charAt(first - 1) == '\\') {
            first--;
        }
        return original.charAt(at) != text.charAt(index) || (at - first) % 2 == 1;
    }

    /**
     * Takes one character after the other, and looks each time whether what it has now ends in an
     * escape.
     *
     * <p>The attack: a slash can be written as the URL's escape of the JSON's escape of it, or the
     * other way round, to any depth, so that undoing one after the other, a fixed number of times,
     * leaves one too many. Here what an escape stands for is itself looked at as the end of another
     * one, so nothing of that is left; and since that makes the text shorter each time, it happens
     * no more often than there are characters.
     *
     * <p>What could be undone in several orders is read in one of them, that of encoders, which
     * escape either all that they can or what they must.
     */
    private static final class Folding {

        /** What a byte of UTF-8 takes in a URL. */
        private static final int PERCENT = 3;

        private static final int LONGEST_UTF_8 = 4;

        private final String from;
        private final StringBuilder to;
        private final int[] starts;

        /** In how many layers of escapes a character was; more than can be counted are as many. */
        private final byte[] layers;

        Folding(String from) {
            this.from = from;
            this.to = new StringBuilder(from.length());
            this.starts = new int[from.length()];
            this.layers = new byte[from.length()];
        }

        Reading fold() {
            for (int at = 0; at < from.length(); at++) {
                add(from.charAt(at), at, 0);
                while (endsInEscape()) {
                    // Each time it is shorter.
                }
            }
            int length = withoutRuns();
            return new Reading(from, to.substring(0, length), Arrays.copyOf(starts, length));
        }

        /** Leaves one of the backslashes that stand together and escape nothing. */
        private int withoutRuns() {
            int length = 0;
            for (int i = 0; i < to.length(); i++) {
                char c = to.charAt(i);
                if (c != '\\' || length == 0 || to.charAt(length - 1) != '\\') {
                    to.setCharAt(length, c);
                    starts[length++] = starts[i];
                }
            }
            return length;
        }

        private void add(int codePoint, int start, int layer) {
            if (codePoint >= 0x80 && LookAlikes.isInvisible(codePoint)) {
                return;
            }
            int length = to.length();
            to.appendCodePoint(LookAlikes.ascii(codePoint));
            Arrays.fill(starts, length, to.length(), start);
            Arrays.fill(layers, length, to.length(), (byte) Math.min(layer, Byte.MAX_VALUE));
        }

        private boolean endsInEscape() {
            int length = to.length();
            if (length < 2) {
                return false;
            }
            char before = to.charAt(length - 2);
            char last = to.charAt(length - 1);
            if (Character.isSurrogatePair(before, last)) {
                int pair = Character.toCodePoint(before, last);
                return (LookAlikes.isInvisible(pair) || LookAlikes.ascii(pair) != pair)
                        && replace(2, pair);
            }
            if (before == '\\') {
                // What is in more layers is not there yet when the next one begins an escape.
                boolean later = last == '\\' && layers[length - 2] > layers[length - 1];
                int meant = later ? -1 : meant(last);
                return meant >= 0 && replaceWithBackslashes(2, meant);
            }
            return Character.digit(last, 16) >= 0
                    && (endsInHex("\\u", 4) || endsInHex("\\x", 2) || endsInPercent());
        }

        private static int meant(char escaped) {
            return switch (escaped) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'b', 'f' -> ' ';
                case '\\', '"', '\'', '/' -> escaped;
                default -> -1;
            };
        }

        private boolean endsInHex(String mark, int digits) {
            int start = to.length() - digits - mark.length();
            if (start < 0
                    || to.charAt(start) != mark.charAt(0)
                    || to.charAt(start + 1) != mark.charAt(1)) {
                return false;
            }
            int value = hex(start + mark.length(), digits);
            return value >= 0 && replaceWithBackslashes(mark.length() + digits, value);
        }

        private boolean endsInPercent() {
            int value = percent(to.length() - PERCENT);
            if (value >= 0 && value <= '~') {
                return replace(PERCENT, value);
            }
            return value >= 0x80 && value < 0xc0 && endsInUtf8(value & 0x3f);
        }

        /**
         * Also where it is longer than need be: there were servers that took %c0%af for a slash.
         */
        private boolean endsInUtf8(int last) {
            int codePoint = last;
            int shift = 6;
            for (int bytes = 2; bytes <= LONGEST_UTF_8; bytes++) {
                int value = percent(to.length() - bytes * PERCENT);
                if (value >= 0x80 && value < 0xc0) {
                    codePoint |= (value & 0x3f) << shift;
                    shift += 6;
                } else {
                    int lead = 0xff & (0xff00 >> bytes);
                    boolean leads = value >= lead && value < (lead | (0x80 >> bytes));
                    codePoint |= (value & ~lead) << shift;
                    return leads
                            && Character.isValidCodePoint(codePoint)
                            && replace(bytes * PERCENT, codePoint);
                }
            }
            return false;
        }

        /** The byte that an escape of a URL stands for; negative: there is none. */
        private int percent(int start) {
            return start >= 0 && to.charAt(start) == '%' ? hex(start + 1, 2) : -1;
        }

        private int hex(int start, int count) {
            int value = 0;
            for (int i = start; i < start + count; i++) {
                int digit = Character.digit(to.charAt(i), 16);
                if (digit < 0) {
                    return -1;
                }
                value = value * 16 + digit;
            }
            return value;
        }

        /** With backslashes before it that escape nothing: readers forgive some too many. */
        private boolean replaceWithBackslashes(int count, int value) {
            int start = to.length() - count;
            boolean escapes =
                    value < 0x80 && ("ux%".indexOf(value) >= 0 || meant((char) value) >= 0);
            while (!escapes && start > 0 && to.charAt(start - 1) == '\\') {
                start--;
            }
            return replace(to.length() - start, value);
        }

        /** Where an escape began, there what it stands for is said to have begun. */
        private boolean replace(int count, int codePoint) {
            int start = to.length() - count;
            int origin = starts[start];
            int layer = 0;
            for (int i = start; i < to.length(); i++) {
                layer = Math.max(layer, layers[i] + 1);
            }
            to.setLength(start);
            add(codePoint, origin, layer);
            return true;
        }
    }
}
