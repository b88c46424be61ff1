package dev.glovebox.agent;

/** Tells what was thrown with dice from what somebody wrote. */
final class Randomness {

    /** How often the class of characters changes, in hundredths; in base64 it does at 64. */
    private static final int CHANGES = 42;

    private static final int CHANGES_OF_MIXED = 18;

    private Randomness() {}

    /**
     * Whether it looks like random base64: capital and small letters and digits in no order. Not
     * hex: digests and identifiers are, and nobody can tell those from keys.
     */
    static boolean isRandom(String token) {
        int digits = 0;
        int capitals = 0;
        int small = 0;
        boolean hex = true;
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            digits += c >= '0' && c <= '9' ? 1 : 0;
            capitals += c >= 'A' && c <= 'Z' ? 1 : 0;
            small += c >= 'a' && c <= 'z' ? 1 : 0;
            hex &= Character.digit(c, 16) >= 0 || c == '-' || c == '_';
        }
        return !hex
                && digits >= 2
                && capitals >= 3
                && small >= 3
                && distinct(token) >= Math.min(14, token.length() / 2)
                && changes(token) * 100 >= CHANGES * (token.length() - 1);
    }

    /** Whether it is at least letters and digits in some disorder, which words are not. */
    static boolean isMixed(String token) {
        return distinct(token) >= Math.min(8, token.length() / 2)
                && hasDigit(token)
                && changes(token) >= 3
                && changes(token) * 100 >= CHANGES_OF_MIXED * (token.length() - 1);
    }

    static boolean hasDigit(String token) {
        return token.chars().anyMatch(c -> c >= '0' && c <= '9');
    }

    static boolean hasLetter(String token) {
        return token.chars().anyMatch(Character::isLetter);
    }

    private static long distinct(String token) {
        return token.chars().distinct().count();
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
