package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBlank;
import static dev.glovebox.agent.SecretFinder.nextLine;

import java.util.ArrayList;
import java.util.List;

/** Tokens that vendors mark by how they begin, also when they are broken by blanks. */
final class VendorTokens implements SecretFinder {

    /** Between two characters of a token that is broken. */
    private static final int MOST_BLANKS = 3;

    private static final int LEAST_OF_NEXT_LINE = 12;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int at = 0;
        int last = 0;
        while (at < text.length()) {
            int end = at + 1;
            boolean first = at == last || !isAlphanumeric(text.charAt(at - 1));
            for (TokenForm form : TokenForm.of(text.charAt(at))) {
                int to = first || form.isLong() ? match(form, text, at) : 0;
                if (to > 0) {
                    found.add(new Stretch(at, to, form.kind()));
                    last = to;
                }
                if (to != 0) {
                    end = Math.abs(to);
                    break;
                }
            }
            at = end;
        }
        return found;
    }

    /** Where the token ends that begins here; 0: there is none; negative: and none before that. */
    private static int match(TokenForm form, String text, int from) {
        int body = prefixEnd(form.prefix(), text, from);
        if (body == 0) {
            return 0;
        }
        int end = run(form, text, body);
        if (end - body < form.least() || body - from != form.prefix().length()) {
            return broken(form, text, body);
        }
        if (end - body > form.most()) {
            // Something is glued to it; without a digit it may be a sequence of a protein.
            int last = body + form.most();
            return form.isLong() && Randomness.hasDigit(text.substring(body, last)) ? last : 0;
        }
        String token = text.substring(body, end);
        if (form.kind().equals("jwt")) {
            return token.indexOf('.') < 0 ? -end : nextLines(form, text, end);
        }
        if (form.loose() && !(Randomness.hasDigit(token) && Randomness.isMixed(token))) {
            return 0;
        }
        return form.most() == form.least() ? end : nextLines(form, text, end);
    }

    private static int prefixEnd(String prefix, String text, int from) {
        int at = from;
        for (int i = 0; i < prefix.length(); i++) {
            at = i == 0 ? at : afterBlanks(text, at);
            if (at >= text.length() || text.charAt(at) != prefix.charAt(i)) {
                return 0;
            }
            at++;
        }
        return at;
    }

    private static int run(TokenForm form, String text, int from) {
        int end = from;
        while (end < text.length() && end - from <= form.most() && form.has(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Words may follow what only looks like a beginning. */
    private static int broken(TokenForm form, String text, int body) {
        StringBuilder joined = new StringBuilder();
        int at = body;
        while (joined.length() < form.least()) {
            at = afterBlanks(text, at);
            if (at >= text.length() || !form.has(text.charAt(at))) {
                return 0;
            }
            joined.append(text.charAt(at++));
        }
        return form.isShouted() || Randomness.isNoProse(joined.toString())
                ? pieces(form, text, at)
                : 0;
    }

    /** What is broken evenly goes on for as long as the pieces are even. */
    private static int pieces(TokenForm form, String text, int from) {
        int end = run(form, text, from);
        int start = from - 1;
        while (form.has(text.charAt(start - 1))) {
            start--;
        }
        int length = end - start;
        int next = afterBlanks(text, end);
        int to = run(form, text, next);
        while (to - next == length) {
            end = to;
            next = afterBlanks(text, end);
            to = run(form, text, next);
        }
        boolean last = to - next < length && Randomness.hasDigit(text.substring(next, to));
        return last ? to : end;
    }

    /** A terminal breaks what is too long for it. */
    private static int nextLines(TokenForm form, String text, int end) {
        int last = end;
        int next = nextLine(text, last);
        int to = run(form, text, next);
        while (to - next >= LEAST_OF_NEXT_LINE && Randomness.isRandom(text.substring(next, to))) {
            last = to;
            next = nextLine(text, last);
            to = run(form, text, next);
        }
        return last;
    }

    private static int afterBlanks(String text, int from) {
        int at = from;
        while (at < text.length() && at - from < MOST_BLANKS && isBlank(text.charAt(at))) {
            at++;
        }
        return at;
    }
}
