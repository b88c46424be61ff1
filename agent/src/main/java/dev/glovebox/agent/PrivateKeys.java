package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBase64;
import static dev.glovebox.agent.SecretFinder.isBlank;
import static dev.glovebox.agent.SecretFinder.isMargin;

import java.util.ArrayList;
import java.util.List;

/** Private keys in armour (PEM, OpenSSH, PGP), whole, or cut off at either end. */
final class PrivateKeys implements SecretFinder {

    private static final String BEGIN = "-----BEGIN ";
    private static final String END = "-----END ";
    private static final String DASHES = "-----";
    private static final int LONGEST_LABEL = 64;
    private static final int LEAST_OF_LINE = 16;

    /** The shortest keys have one line of 64; what is cut off earlier tells little of them. */
    private static final int LEAST_OF_KEY = 32;

    private static final int LEAST_OF_LONG_LINE = 60;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int done = 0;
        int at = text.indexOf(DASHES);
        while (at >= 0) {
            int close = close(text, at);
            if (close > 0) {
                boolean begins = text.startsWith(BEGIN, at);
                int from = begins ? at : keyBefore(text, at, done);
                done = begins ? end(text, close) : close;
                if (hasKey(text, begins ? close : from, begins ? done : at)) {
                    found.add(new Stretch(from, done, "private key"));
                }
            }
            at = text.indexOf(DASHES, close > 0 ? done : at + 1);
        }
        return found;
    }

    /** Where a line ends that says that a private key begins or ends; 0: it says something else. */
    private static int close(String text, int at) {
        boolean begins = text.startsWith(BEGIN, at);
        if (!begins && !text.startsWith(END, at)) {
            return 0;
        }
        int label = at + (begins ? BEGIN : END).length();
        int limit = Math.min(text.length(), label + LONGEST_LABEL);
        int dashes = text.substring(label, limit).indexOf(DASHES);
        return dashes >= 0 && text.substring(label, label + dashes).contains("PRIVATE KEY")
                ? label + dashes + DASHES.length()
                : 0;
    }

    /** Programs that read keys have such lines as well, with code and no key between them. */
    private static boolean hasKey(String text, int from, int to) {
        StringBuilder lines = new StringBuilder();
        int at = from;
        while (at < to) {
            int line = at;
            while (at < to && isBase64(text.charAt(at)) && "-_".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            if (at - line >= LEAST_OF_KEY && isKey(text.substring(line, at))) {
                return true;
            }
            if (at - line >= LEAST_OF_LINE) {
                lines.append(text, line, at);
            }
            at++;
        }
        return lines.length() >= LEAST_OF_KEY && Randomness.isRandom(lines.toString());
    }

    /** The line of a short key begins with what is the same in all, and not random. */
    private static boolean isKey(String line) {
        return Randomness.isRandom(line)
                || (line.length() >= LEAST_OF_LONG_LINE && Randomness.isMixed(line));
    }

    /** The end of a key: its last line, or what there is of it. */
    private static int end(String text, int from) {
        int next = text.indexOf(DASHES, from);
        if (next >= 0 && text.startsWith(END, next) && close(text, next) > 0) {
            return close(text, next);
        }
        int end = from;
        int at = body(text, from, next < 0 ? text.length() : next);
        while (at < text.length()) {
            at = behindMargin(text, at);
            int line = at;
            while (at < text.length() && isBase64(text.charAt(at))) {
                at++;
            }
            if (at - line < LEAST_OF_LINE) {
                return end;
            }
            end = at;
        }
        return end;
    }

    /** Where the key itself begins, behind lines such as {@code Version: 1}. */
    private static int body(String text, int from, int limit) {
        int at = from;
        int line = behindMargin(text, from);
        while (isHeader(text, line)) {
            at = text.indexOf('\n', line, limit);
            if (at < 0) {
                return limit;
            }
            line = behindMargin(text, at);
        }
        return at;
    }

    private static boolean isHeader(String text, int line) {
        int colon = line;
        while (colon < text.length()
                && colon - line < LONGEST_LABEL
                && (isAlphanumeric(text.charAt(colon)) || text.charAt(colon) == '-')) {
            colon++;
        }
        return colon > line && text.startsWith(":", colon);
    }

    private static int behindMargin(String text, int from) {
        int at = from;
        while (at < text.length() && isBetweenLines(text.charAt(at))) {
            at++;
        }
        return at;
    }

    private static boolean isBetweenLines(char c) {
        return isBlank(c) || isMargin(c);
    }

    /** The beginning of a key of which only the end is there. */
    private static int keyBefore(String text, int at, int done) {
        int from = at;
        int line = at;
        while (line > done) {
            int end = line;
            while (end > done && isBetweenLines(text.charAt(end - 1))) {
                end--;
            }
            line = end;
            while (line > done && isBase64(text.charAt(line - 1))) {
                line--;
            }
            boolean last = from == at;
            if (end - line < (last ? 1 : LEAST_OF_LINE)) {
                return from;
            }
            from = line;
        }
        return from;
    }
}
