package dev.glovebox.agent;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A text as a reader takes it: invisible characters are gone, escapes of JSON and of URLs are
 * undone however often they were applied, letters that look like ASCII are. Each character knows
 * where it came from. Made in one pass.
 */
final class Reading {

    /** What looks alike; each line is what it looks like, and then its doubles. */
    private static final String[] LOOK_ALIKES = {
        "a\u0430\u03b1",
        "c\u0441\u03f2",
        "d\u0501",
        "e\u0435",
        "g\u0261",
        "h\u04bb",
        "i\u0456\u0131",
        "j\u0458",
        "k\u043a",
        "l\u04cf",
        "n\u0578",
        "o\u043e\u03bf",
        "p\u0440\u03c1",
        "q\u051b",
        "s\u0455",
        "v\u03bd",
        "w\u051d",
        "x\u0445",
        "y\u0443",
        "A\u0410\u0391",
        "B\u0412\u0392",
        "C\u0421",
        "E\u0415\u0395",
        "H\u041d\u0397",
        "I\u0406\u0399",
        "K\u041a\u039a",
        "M\u041c\u039c",
        "N\u039d",
        "O\u041e\u039f",
        "P\u0420\u03a1",
        "S\u0405",
        "T\u0422\u03a4",
        "X\u0425\u03a7",
        "Y\u0423\u03a5",
        "Z\u0396",
        "/\u2044\u2215\u29f8\u2571",
        "\\\u2216\u29f5",
        ".\u2024\u3002",
        "-\u2010\u2011\u2012\u2013\u2212",
        ":\ua789\u2236",
        "~\u223c\u02dc",
        "|\u01c0\u2223",
    };

    private static final Map<Character, Character> DOUBLES = doubles();

    private static final int FULL_WIDTH = 0xff01 - '!';

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

    static boolean isInvisible(int codePoint) {
        return Character.getType(codePoint) == Character.FORMAT
                || (codePoint >= 0xfe00 && codePoint <= 0xfe0f)
                || (codePoint >= 0xe0000 && codePoint <= 0xe01ef)
                || (codePoint >= 0x180b && codePoint <= 0x180f)
                || codePoint == 0x034f
                || codePoint == 0x115f
                || codePoint == 0x1160
                || codePoint == 0x3164;
    }

    private static Map<Character, Character> doubles() {
        Map<Character, Character> doubles = new HashMap<>();
        for (String line : LOOK_ALIKES) {
            for (int i = 1; i < line.length(); i++) {
                doubles.put(line.charAt(i), line.charAt(0));
            }
        }
        return doubles;
    }

    private static final class Folding {

        private final String from;
        private final StringBuilder to;
        private int[] starts;
        private int at;

        Folding(String from) {
            this.from = from;
            this.to = new StringBuilder(from.length());
            this.starts = new int[from.length()];
        }

        Reading fold() {
            while (at < from.length()) {
                switch (from.charAt(at)) {
                    case '\\' -> escape();
                    case '%' -> percent();
                    default -> plain();
                }
            }
            return new Reading(from, to.toString(), Arrays.copyOf(starts, to.length()));
        }

        private void plain() {
            char c = from.charAt(at);
            int codePoint = c < 0x80 ? c : from.codePointAt(at);
            int end = at + Character.charCount(codePoint);
            if (codePoint > 0xffff && !isInvisible(codePoint)) {
                add(c, at + 1);
                add(from.charAt(at), end);
            } else {
                add(codePoint, end);
            }
        }

        /** Any number of backslashes: a JSON text may be within another one. */
        private void escape() {
            int end = at;
            while (end < from.length() && from.charAt(end) == '\\') {
                end++;
            }
            int meant = end < from.length() ? meant(end) : -1;
            if (meant < 0) {
                add('\\', end);
            } else {
                add(meant, from.charAt(end) == 'u' ? end + 5 : end + 1);
            }
        }

        private int meant(int letter) {
            return switch (from.charAt(letter)) {
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'b', 'f' -> ' ';
                case '"' -> '"';
                case '\'' -> '\'';
                case '/' -> '/';
                case 'u' -> hex(letter + 1, 4);
                default -> -1;
            };
        }

        /** Any number of times: %252f is a slash as well. */
        private void percent() {
            int digits = at + 1;
            while (from.startsWith("25", digits) && hex(digits + 2, 2) >= 0) {
                digits += 2;
            }
            int value = hex(digits, 2);
            if (value < 0 || value > '~') {
                add('%', at + 1);
            } else {
                add(value, digits + 2);
            }
        }

        private int hex(int start, int count) {
            if (start + count > from.length()) {
                return -1;
            }
            int value = 0;
            for (int i = start; i < start + count; i++) {
                int digit = Character.digit(from.charAt(i), 16);
                if (digit < 0) {
                    return -1;
                }
                value = value * 16 + digit;
            }
            return value;
        }

        private void add(int codePoint, int end) {
            if (codePoint < 0x80 || !isInvisible(codePoint)) {
                starts[to.length()] = at;
                to.append(codePoint < 0x80 ? (char) codePoint : likeAscii((char) codePoint));
            }
            at = end;
        }

        private static char likeAscii(char c) {
            if (c >= 0xff01 && c <= 0xff5e) {
                return (char) (c - FULL_WIDTH);
            }
            return switch (Character.getType(c)) {
                case Character.SPACE_SEPARATOR -> ' ';
                case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> '\n';
                default -> DOUBLES.getOrDefault(c, c);
            };
        }
    }
}
