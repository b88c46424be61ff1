package dev.glovebox.agent;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Parts of texts that may be of any length and hold anything. */
final class Excerpt {

    private static final int MOST_BYTES_OF_A_CHARACTER = 3;

    private Excerpt() {}

    /** The beginning of a text, with a note of how much is not there. */
    static String bytes(String text, int most) {
        if ((long) text.length() * MOST_BYTES_OF_A_CHARACTER <= most) {
            return text;
        }
        CharsetEncoder encoder =
                StandardCharsets.UTF_8
                        .newEncoder()
                        .onMalformedInput(CodingErrorAction.REPLACE)
                        .onUnmappableCharacter(CodingErrorAction.REPLACE);
        CharBuffer in = CharBuffer.wrap(text);
        // The encoder stops before a character that does not fit as a whole.
        var _ = encoder.encode(in, ByteBuffer.allocate(most), true);
        if (!in.hasRemaining()) {
            return text;
        }
        long all = text.getBytes(StandardCharsets.UTF_8).length;
        String kept = text.substring(0, in.position());
        long left = all - kept.getBytes(StandardCharsets.UTF_8).length;
        return kept + "\n[cut: %d of %d bytes are not shown]".formatted(left, all);
    }

    /** The beginning of a text on one line, with everything visible that plays with a terminal. */
    static String line(String text, int most) {
        boolean whole = text.codePointCount(0, text.length()) <= most;
        StringBuilder line = new StringBuilder();
        text.substring(0, whole ? text.length() : text.offsetByCodePoints(0, most))
                .codePoints()
                .forEach(character -> append(line, character));
        return whole ? line.toString() : line.append('…').toString();
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
}
