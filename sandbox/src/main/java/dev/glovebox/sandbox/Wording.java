package dev.glovebox.sandbox;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** How messages quote what people wrote, and guess what they meant. */
final class Wording {

    private static final int LONGEST_QUOTE = 80;
    private static final int LONGEST_GUESSED = 40;

    private Wording() {}

    /** Quotes a text on one line, shortened, with control characters and broken ones escaped. */
    static String quote(String text) {
        boolean whole = text.codePointCount(0, text.length()) <= LONGEST_QUOTE;
        return "'"
                + (whole
                        ? line(text)
                        : line(text.substring(0, text.offsetByCodePoints(0, LONGEST_QUOTE))) + "…")
                + "'";
    }

    /** Escapes whatever would break a line or play with a terminal. */
    static String line(String text) {
        StringBuilder line = new StringBuilder();
        text.codePoints().forEach(character -> append(line, character));
        return line.toString();
    }

    private static void append(StringBuilder to, int character) {
        switch (Character.getType(character)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR ->
                    to.append(String.format(Locale.ROOT, "\\u%04x", character));
            default -> to.appendCodePoint(character);
        }
    }

    /** The name of a constant in policies: {@code PACKAGE_INDEX} is {@code package-index}. */
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether a text has a character that breaks a line, a terminal or a C string. */
    static boolean hasControls(String text) {
        return text.chars().anyMatch(Character::isISOControl);
    }

    /**
     * Whether a text has half a character, which no encoding can write and no digest tell apart.
     */
    static boolean hasHalves(String text) {
        return text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
    }

    /** The known word that a mistyped one is most like, if any is near enough. */
    static Optional<String> nearest(String wrong, Collection<String> known) {
        if (wrong.length() > LONGEST_GUESSED) {
            return Optional.empty();
        }
        String lower = wrong.toLowerCase(Locale.ROOT).replace('_', '-');
        return known.stream()
                .filter(word -> distance(lower, word) <= Math.max(1, word.length() / 3))
                .min(Comparator.comparingInt(word -> distance(lower, word)));
    }

    /** Says that a word is not known, which one was perhaps meant, and which there are. */
    static String unknown(String kind, String wrong, String where, Collection<String> known) {
        String guess =
                nearest(wrong, known).map(word -> "; did you mean '" + word + "'?").orElse(";");
        return "unknown "
                + kind
                + " "
                + quote(wrong)
                + where
                + guess
                + " known: "
                + String.join(", ", known);
    }

    /** Counts inserted, deleted, replaced and swapped letters. */
    private static int distance(String from, String to) {
        int[][] distance = new int[from.length() + 1][to.length() + 1];
        for (int i = 0; i <= from.length(); i++) {
            for (int j = 0; j <= to.length(); j++) {
                if (i == 0 || j == 0) {
                    distance[i][j] = i + j;
                    continue;
                }
                int change = from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1;
                int least = Math.min(distance[i - 1][j], distance[i][j - 1]) + 1;
                least = Math.min(least, distance[i - 1][j - 1] + change);
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    least = Math.min(least, distance[i - 2][j - 2] + 1);
                }
                distance[i][j] = least;
            }
        }
        return distance[from.length()][to.length()];
    }
}
