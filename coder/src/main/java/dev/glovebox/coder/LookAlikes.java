package dev.glovebox.coder;

import java.util.List;
import java.util.Map;

/** Replaces quotes, dashes and blanks that only look like those of code. */
final class LookAlikes implements Rule {

    private static final String DOUBLE = "“”„‟«»＂";
    private static final String SINGLE = "‘’‚‛＇";

    /** The replacement is one character, or none for what cannot be seen. */
    private static final Map<Character, String> MEANT =
            Map.ofEntries(
                    Map.entry('–', "-"),
                    Map.entry('—', "-"),
                    Map.entry('−', "-"),
                    Map.entry('‐', "-"),
                    Map.entry('×', "*"),
                    Map.entry('÷', "/"),
                    Map.entry('≤', "<="),
                    Map.entry('≥', ">="),
                    Map.entry('≠', "!="),
                    Map.entry('…', "..."),
                    Map.entry('，', ","),
                    Map.entry('；', ";"),
                    Map.entry('：', ":"),
                    Map.entry('（', "("),
                    Map.entry('）', ")"),
                    Map.entry('＝', "="),
                    Map.entry('\u00a0', " "),
                    Map.entry('\u2002', " "),
                    Map.entry('\u2003', " "),
                    Map.entry('\u2007', " "),
                    Map.entry('\u2009', " "),
                    Map.entry('\u202f', " "),
                    Map.entry('\u3000', " "),
                    Map.entry('\u200b', ""),
                    Map.entry('\u200c', ""),
                    Map.entry('\u200d', ""),
                    Map.entry('\u2060', ""),
                    Map.entry('\ufeff', ""),
                    Map.entry('\u0000', ""));

    private static final int MOST = 500;

    @Override
    public List<Change> changes(Scene scene) {
        boolean possible =
                scene.problem().is("SyntaxError", "IndentationError", "ValueError")
                        && (scene.problem().says("invalid character")
                                || scene.problem().says("non-printable character")
                                || scene.problem().says("null bytes")
                                || scene.problem().says("unterminated string")
                                || scene.problem().says("Invalid or unexpected token"));
        if (!possible) {
            return List.of();
        }
        Source source = scene.source();
        for (int i = 0; i < MOST; i++) {
            String changed = once(source);
            if (changed.equals(source.text())) {
                break;
            }
            source = source.as(changed);
        }
        return scene.change(
                source.text(),
                Mistake.ENCODING,
                "Characters that look like those of code are others",
                "Write the ones that are meant",
                0.95);
    }

    /** With the first of them replaced, and all others of a sort that needs no partner. */
    private static String once(Source source) {
        String code = source.code();
        StringBuilder changed = new StringBuilder(source.text());
        boolean some = false;
        for (int i = code.length() - 1; i >= 0; i--) {
            String meant = MEANT.get(code.charAt(i));
            if (meant != null) {
                changed.replace(i, i + 1, meant);
                some = true;
            }
        }
        if (some) {
            return changed.toString();
        }
        for (int i = 0; i < code.length(); i++) {
            String sort =
                    DOUBLE.indexOf(code.charAt(i)) >= 0
                            ? DOUBLE
                            : SINGLE.indexOf(code.charAt(i)) >= 0 ? SINGLE : "";
            if (!sort.isEmpty()) {
                return quoted(source.text(), i, sort);
            }
        }
        return source.text();
    }

    private static String quoted(String text, int open, String sort) {
        String quote = sort.equals(DOUBLE) ? "\"" : "'";
        int close = open + 1;
        while (close < text.length()
                && sort.indexOf(text.charAt(close)) < 0
                && text.charAt(close) != '\n') {
            close++;
        }
        boolean closed = close < text.length() && text.charAt(close) != '\n';
        String inside = text.substring(open + 1, close);
        // One of the two may have been right.
        boolean half = !closed && inside.contains(quote);
        String kept = half ? inside : inside.replace(quote, "\\" + quote);
        return text.substring(0, open)
                + quote
                + kept
                + (closed ? quote + text.substring(close + 1) : text.substring(close));
    }
}
