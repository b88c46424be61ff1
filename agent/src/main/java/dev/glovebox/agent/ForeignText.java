package dev.glovebox.agent;

import java.nio.charset.StandardCharsets;

/** Text of somebody who is not trusted, made fit to be shown. */
final class ForeignText {

    private static final String CUT = " [cut]";

    private ForeignText() {}

    /**
     * Without what cannot be seen: control characters, marks that turn the direction of writing,
     * and characters that only models read.
     *
     * @param most characters, after which it is cut
     */
    static String clean(String text, int most) {
        StringBuilder kept = new StringBuilder(Math.min(text.length(), most));
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            i += Character.charCount(point);
            if (!isSeen(point)) {
                continue;
            }
            if (kept.length() + Character.charCount(point) > most) {
                return kept.append(CUT).toString();
            }
            kept.appendCodePoint(point);
        }
        return kept.toString();
    }

    private static boolean isSeen(int point) {
        if (point == '\n' || point == '\t') {
            return true;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.PRIVATE_USE,
                    Character.SURROGATE,
                    Character.UNASSIGNED ->
                    false;
            default -> true;
        };
    }

    /** Not more than so many bytes, with a note about the rest. */
    static String bounded(String text, int mostBytes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= mostBytes) {
            return text;
        }
        String note = "\n[cut: it has " + bytes.length + " bytes]";
        int end = Math.max(0, mostBytes - note.length());
        while (end > 0 && (bytes[end] & 0xC0) == 0x80) {
            end--; // not within a character
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8) + note;
    }
}
