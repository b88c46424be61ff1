package dev.glovebox.coder;

import java.math.BigDecimal;

/**
 * A piece of a sentence.
 *
 * @param text as it was written; of what is quoted, what stands between the marks
 * @param stem by which it is recognised; empty: it never is
 * @param number its value, if it is one
 */
record SentenceToken(Kind kind, String text, String stem, BigDecimal number, int start, int end) {

    enum Kind {
        WORD,
        NUMBER,
        QUOTED,
        /** A name with an ending, beside the program. */
        FILE,
        /** A name that leads elsewhere, on this machine or another. */
        ELSEWHERE,
        /** The text is the date as ISO 8601 has it; empty: there is no such day. */
        DATE,
        SYMBOL
    }

    boolean is(Kind other) {
        return kind == other;
    }

    boolean whole() {
        return is(Kind.NUMBER) && number.stripTrailingZeros().scale() <= 0;
    }
}
