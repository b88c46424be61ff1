package dev.glovebox.agent;

import java.util.List;

/** Finds one sort of secrets, in time that grows with the length of the text. */
@FunctionalInterface
interface SecretFinder {

    /** In characters, between two lines of one secret: what they are indented by, and breaks. */
    int MOST_BETWEEN_LINES = 48;

    /** Where they are in the text of the reading. */
    List<Stretch> find(Reading reading);

    static boolean isAlphanumeric(char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    }

    static boolean isBase64(char c) {
        return isAlphanumeric(c) || c == '+' || c == '/' || c == '=' || c == '-' || c == '_';
    }

    static boolean isBlank(char c) {
        return c == ' ' || c == '\n' || c == '\t' || c == '\r';
    }

    /** What a line may be set in by: blanks, and marks of quotes, tables, comments and lists. */
    static boolean isMargin(char c) {
        return c == ' ' || c == '\t' || c == '>' || c == '|' || c == '#' || c == '*';
    }

    /**
     * Where the next line begins, behind its margin and at most one empty line; the end of the
     * text: this one has not ended.
     */
    static int nextLine(String text, int end) {
        int limit = Math.min(text.length(), end + MOST_BETWEEN_LINES);
        int breaks = 0;
        int at = end;
        while (at < limit
                && (isBlank(text.charAt(at)) || (breaks > 0 && isMargin(text.charAt(at))))) {
            breaks += text.charAt(at) == '\n' || isBareReturn(text, at) ? 1 : 0;
            at++;
        }
        return breaks == 1 || breaks == 2 ? at : text.length();
    }

    private static boolean isBareReturn(String text, int at) {
        return text.charAt(at) == '\r' && !text.startsWith("\n", at + 1);
    }
}
