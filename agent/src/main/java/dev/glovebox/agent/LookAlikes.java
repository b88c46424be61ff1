package dev.glovebox.agent;

import java.text.Normalizer;
import java.util.HashMap;
import java.util.Map;

/** Characters that a reader, or a resolver of names, takes for those of ASCII. */
final class LookAlikes {

    /** Each line is what it looks like, and then its doubles. */
    private static final String[] LINES = {
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
        ".\u2024\u3002\uff61",
        "-\u2010\u2011\u2012\u2013\u2212",
        ":\ua789\u2236",
        "~\u223c\u02dc",
        "|\u01c0\u2223",
    };

    private static final Map<Character, Character> DOUBLES = doubles();

    private static final int FULL_WIDTH = 0xff01 - '!';

    private LookAlikes() {}

    /** What a character looks like; itself, if that is not of ASCII. */
    static int ascii(int codePoint) {
        if (codePoint < 0x80) {
            return codePoint;
        }
        if (codePoint >= 0xff01 && codePoint <= 0xff5e) {
            return codePoint - FULL_WIDTH;
        }
        if (isStyled(codePoint)) {
            String plain =
                    Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFKC);
            return plain.length() == 1 && plain.charAt(0) < 0x80 ? plain.charAt(0) : codePoint;
        }
        return switch (Character.getType(codePoint)) {
            case Character.SPACE_SEPARATOR -> ' ';
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> '\n';
            default ->
                    codePoint > Character.MAX_VALUE
                            ? codePoint
                            : DOUBLES.getOrDefault((char) codePoint, (char) codePoint);
        };
    }

    /** Raised, lowered, double-struck, circled, bold and other forms of letters and digits. */
    private static boolean isStyled(int codePoint) {
        return (codePoint >= 0x2070 && codePoint <= 0x209f)
                || (codePoint >= 0x2100 && codePoint <= 0x214f)
                || (codePoint >= 0x2460 && codePoint <= 0x24ff)
                || (codePoint >= 0x1d400 && codePoint <= 0x1d7ff)
                || (codePoint >= 0x1f110 && codePoint <= 0x1f14f);
    }

    static boolean isInvisible(int codePoint) {
        return Character.getType(codePoint) == Character.FORMAT
                || (codePoint >= 0xfe00 && codePoint <= 0xfe0f)
                || (codePoint >= 0xe0000 && codePoint <= 0xe01ef)
                || (codePoint >= 0x180b && codePoint <= 0x180f)
                || codePoint == 0x034f
                || codePoint == 0x115f
                || codePoint == 0x1160
                || codePoint == 0x17b4
                || codePoint == 0x17b5
                || codePoint == 0x3164
                || codePoint == 0xffa0;
    }

    private static Map<Character, Character> doubles() {
        Map<Character, Character> doubles = new HashMap<>();
        for (String line : LINES) {
            for (int i = 1; i < line.length(); i++) {
                doubles.put(line.charAt(i), line.charAt(0));
            }
        }
        return doubles;
    }
}
