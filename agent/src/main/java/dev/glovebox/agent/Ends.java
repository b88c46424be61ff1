package dev.glovebox.agent;

/** Long texts, cut in the middle: what matters tends to be at the beginning and at the end. */
final class Ends {

    // What is said of the gap, with the largest number.
    private static final int NOTE_BYTES = 40;

    private Ends() {}

    /**
     * The text itself if it fits, else its beginning and its end with a note between them.
     *
     * @param mostBytes that the result has in UTF-8; where not even the note fits, it is empty
     */
    static String of(String text, long mostBytes) {
        // No character has less than one byte, so a long text need not be counted.
        if (text.length() <= mostBytes && Tokens.bytes(text) <= mostBytes) {
            return text;
        }
        if (mostBytes < NOTE_BYTES) {
            return "";
        }
        long half = (mostBytes - NOTE_BYTES) / 2;
        int head = head(text, half);
        int tail = tail(text, half);
        long left = Tokens.bytes(text.substring(head, tail));
        String note = "\n[… " + left + " bytes left out …]\n";
        return text.substring(0, head) + note + text.substring(tail);
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
