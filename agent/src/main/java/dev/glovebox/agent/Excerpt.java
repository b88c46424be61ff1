package dev.glovebox.agent;

import java.util.Locale;

/** Parts of texts that may be of any length and hold anything; no character is cut in two. */
public final class Excerpt {

    /** What is said of a gap, with the largest number. */
    private static final int GAP_BYTES = 40;

    /** No word, key or token is expected to be longer, in characters. */
    private static final int WORD = 4 << 10;

    /** What else stands between words, such as in JSON without spaces. */
    private static final String MARKS = "\"'`,;<>(){}[]|";

    private Excerpt() {}

    /** The beginning of a text on one line, with everything visible that plays with a terminal. */
    public static String line(String text, int most) {
        // Of a long text no more is looked at than is kept.
        boolean whole = text.length() <= 2L * most && text.codePointCount(0, text.length()) <= most;
        StringBuilder line = new StringBuilder();
        text.substring(0, whole ? text.length() : text.offsetByCodePoints(0, most))
                .codePoints()
                .forEach(point -> {
                    if (isSeen(point)) {
                        line.appendCodePoint(point);
                    } else {
                        line.append(String.format(Locale.ROOT, "\\u%04x", point));
                    }
                });
        return whole ? line.toString() : line.append('…').toString();
    }

    /**
     * The beginning of a text without what cannot be seen: control characters, marks that turn the
     * direction of writing, and characters that only models read. Its lines stay lines.
     *
     * @param most characters
     */
    static String seen(String text, int most) {
        StringBuilder kept = new StringBuilder(Math.min(text.length(), most));
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (!isSeen(point) && point != '\n' && point != '\t') {
                continue;
            }
            if (kept.length() + Character.charCount(point) > most) {
                return kept.append(" [cut]").toString();
            }
            kept.appendCodePoint(point);
        }
        return kept.toString();
    }

    /** Whether a character is one that is seen: no control character, no mark, no half of one. */
    public static boolean isSeen(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    false;
            // Also what Unicode takes for letters and marks, and nobody draws.
            default -> point < 0x80 || !LookAlikes.isInvisible(point);
        };
    }

    /**
     * The beginning of a text, with a note of how much is not there.
     *
     * @param most that are kept, in UTF-8
     */
    static String bytes(String text, int most) {
        return fits(text, most) ? text : bytes(text, most, Tokens.bytes(text));
    }

    /**
     * The same of a text that is longer, and of which only the beginning is there.
     *
     * @param all how many bytes the whole text has
     */
    static String bytes(String beginning, int most, long all) {
        String kept = beginning(beginning, most);
        return kept
                + "\n[cut: %d of %d bytes are not shown]"
                        .formatted(Math.max(0, all - Tokens.bytes(kept)), all);
    }

    /**
     * The beginning of a text.
     *
     * @param most in UTF-8
     */
    static String beginning(String text, long most) {
        return fits(text, most) ? text : text.substring(0, head(text, most));
    }

    /** The same, ended between two words if that is not far: half a key is no key to guardrails. */
    static String wholeWords(String beginning) {
        for (int end = beginning.length(); end > 0 && beginning.length() - end < WORD; end--) {
            if (isBetween(beginning.charAt(end - 1))) {
                return beginning.substring(0, end);
            }
        }
        return beginning;
    }

    /** The end of a text, begun between two words if that is not far. */
    static String lastWholeWords(String end) {
        for (int start = 0; start < Math.min(WORD, end.length()); start++) {
            if (isBetween(end.charAt(start))) {
                return end.substring(start);
            }
        }
        return end;
    }

    private static boolean isBetween(char character) {
        return Character.isWhitespace(character) || MARKS.indexOf(character) >= 0;
    }

    /** The end of a text: that is where programs say what went wrong. */
    static String last(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int start = text.length() - most;
        boolean half = most > 0 && Character.isLowSurrogate(text.charAt(start));
        return "…" + text.substring(half ? start + 1 : start);
    }

    /**
     * The beginning and the end of a text with a note between them: what matters tends to be there.
     *
     * @param mostBytes of all that, in UTF-8; where not even the note fits, it is empty
     */
    public static String ends(String text, long mostBytes) {
        if (fits(text, mostBytes)) {
            return text;
        }
        if (mostBytes < GAP_BYTES) {
            return "";
        }
        long half = (mostBytes - GAP_BYTES) / 2;
        int head = head(text, half);
        int tail = tail(text, half);
        long left = Tokens.bytes(text.substring(head, tail));
        // The end may begin within a line: it must not look like one of its own.
        return text.substring(0, head)
                + ("\n[… " + left + " bytes left out …] ")
                + text.substring(tail);
    }

    // No character has less than one byte, so a long text need not be counted.
    private static boolean fits(String text, long bytes) {
        return text.length() <= bytes && Tokens.bytes(text) <= bytes;
    }

    private static int head(String text, long bytes) {
        int end = 0;
        long taken = 0;
        while (end < text.length() && taken + Tokens.bytes(text.charAt(end)) <= bytes) {
            taken += Tokens.bytes(text.charAt(end++));
        }
        return end > 0 && Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end;
    }

    private static int tail(String text, long bytes) {
        int start = text.length();
        long taken = 0;
        while (start > 0 && taken + Tokens.bytes(text.charAt(start - 1)) <= bytes) {
            taken += Tokens.bytes(text.charAt(--start));
        }
        return start < text.length() && Character.isLowSurrogate(text.charAt(start))
                ? start + 1
                : start;
    }
}
