package dev.glovebox.agent;

import java.util.BitSet;
import java.util.regex.Pattern;

/** Tells what was thrown with dice from what somebody wrote. */
final class Randomness {

    /** How often the class of characters changes, in hundredths; in base64 it does at 64. */
    private static final int CHANGES = 42;

    /** In base64 one character of 32 is neither a letter nor a digit, in paths one of 7. */
    private static final int LETTERS_FOR_A_SIGN = 12;

    /** From here on chance gives a digit. */
    private static final int LONG = 32;

    /** How many capitals of an identifier begin a word, in hundredths; by chance 42 do. */
    private static final int WORDS = 85;

    /** How many small letters in a row are taken for a word. */
    private static final int WORD = 8;

    private static final Pattern NO_SMALL_LETTERS = Pattern.compile("[^a-z]+");

    private static final int CHANGES_OF_MIXED = 18;

    private Randomness() {}

    /**
     * Whether it looks like random base64: capital and small letters and digits in no order. Not
     * hex: digests and identifiers are, and nobody can tell those from keys.
     */
    static boolean isRandom(String token) {
        String bare = token.replaceAll("[^A-Za-z0-9]", "");
        int digits = count(bare, '0', '9');
        return bare.length() >= token.length() - token.length() / LETTERS_FOR_A_SIGN - 1
                && digits >= (token.length() < LONG ? 2 : 1)
                && count(bare, 'A', 'Z') >= 3
                && count(bare, 'a', 'z') >= 3
                && digits + count(bare, 'a', 'f') + count(bare, 'A', 'F') < bare.length()
                && distinct(bare) >= Math.min(14, bare.length() / 2)
                && changes(bare) * 100 >= CHANGES * (bare.length() - 1)
                && !isCamelCase(bare)
                && !hasWords(bare);
    }

    /** Whether a third of it is words; by chance not one token of a thousand has two of them. */
    private static boolean hasWords(String token) {
        int letters =
                NO_SMALL_LETTERS
                        .splitAsStream(token)
                        .mapToInt(String::length)
                        .filter(length -> length >= WORD)
                        .sum();
        return letters >= 2 * WORD && letters * 3 >= token.length();
    }

    /** Whether nearly every capital begins a word. */
    private static boolean isCamelCase(String token) {
        int words = 0;
        for (int i = 0; i + 1 < token.length(); i++) {
            boolean begins =
                    Character.isUpperCase(token.charAt(i))
                            && Character.isLowerCase(token.charAt(i + 1));
            words += begins ? 1 : 0;
        }
        return words * 100 >= WORDS * count(token, 'A', 'Z');
    }

    private static int count(String token, char from, char to) {
        return (int) token.chars().filter(c -> c >= from && c <= to).count();
    }

    /** Whether it is at least letters and digits in some disorder, which words are not. */
    static boolean isMixed(String token) {
        return hasDigit(token)
                && distinct(token) >= Math.min(8, token.length() / 2)
                && changes(token) >= 3
                && changes(token) * 100 >= CHANGES_OF_MIXED * (token.length() - 1);
    }

    /** Whether it cannot be words from which the blanks are gone. */
    static boolean isNoProse(String token) {
        return isMixed(token)
                || count(token, '0', '9') * 2 >= token.length()
                || changes(token) * 100 >= CHANGES * (token.length() - 1);
    }

    static boolean hasDigit(String token) {
        return token.chars().anyMatch(c -> c >= '0' && c <= '9');
    }

    static boolean hasLetter(String token) {
        return token.chars().anyMatch(Character::isLetter);
    }

    private static int distinct(String token) {
        BitSet seen = new BitSet();
        token.chars().forEach(seen::set);
        return seen.cardinality();
    }

    private static int changes(String token) {
        int changes = 0;
        for (int i = 1; i < token.length(); i++) {
            changes += kind(token.charAt(i)) == kind(token.charAt(i - 1)) ? 0 : 1;
        }
        return changes;
    }

    private static int kind(char c) {
        return Character.isDigit(c)
                ? 0
                : Character.isUpperCase(c) ? 1 : Character.isLetter(c) ? 2 : 3;
    }
}
