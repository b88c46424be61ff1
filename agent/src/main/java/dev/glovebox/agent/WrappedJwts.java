package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBase64;
import static dev.glovebox.agent.SecretFinder.nextLine;

import java.util.ArrayList;
import java.util.List;

/** Signed and encrypted tokens (JWT) in lines, also where the header alone fills the first ones. */
final class WrappedJwts implements SecretFinder {

    /** How base64 of JSON begins. */
    private static final String BEGIN = "eyJ";

    /** Each header names an algorithm. */
    private static final String ALGORITHM = "\"alg\"";

    /** What is shorter gives nothing away. */
    private static final int LEAST_OF_LINE = 12;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int at = text.indexOf(BEGIN);
        while (at >= 0) {
            int end = run(text, at);
            if (at == 0 || !isAlphanumeric(text.charAt(at - 1))) {
                Lines lines = new Lines(text, at, end);
                if (lines.isToken()) {
                    found.add(new Stretch(at, lines.end, "jwt"));
                }
                end = lines.end;
            }
            at = text.indexOf(BEGIN, end);
        }
        return found;
    }

    private static int run(String text, int from) {
        int end = from;
        while (end < text.length()
                && text.charAt(end) != '='
                && (isBase64(text.charAt(end)) || text.charAt(end) == '.')) {
            end++;
        }
        return end;
    }

    /** What begins with a line, and goes on for as long as the next ones look like parts of it. */
    private static final class Lines {

        private final StringBuilder joined = new StringBuilder();
        private final boolean broken;
        private int end;

        Lines(String text, int from, int firstEnd) {
            joined.append(text, from, firstEnd);
            end = firstEnd;
            int next = nextLine(text, end);
            int to = run(text, next);
            while (to - next >= LEAST_OF_LINE
                    && belongs(text.substring(next, to), end > firstEnd)) {
                joined.append(text, next, to);
                end = to;
                next = nextLine(text, end);
                to = run(text, next);
            }
            broken = end > firstEnd;
        }

        boolean isToken() {
            int dot = joined.indexOf(".");
            return broken
                    && dot > 0
                    && EncodedSecrets.text(joined.substring(0, dot))
                            .filter(header -> header.contains(ALGORITHM))
                            .isPresent();
        }

        /** Behind a token that is whole on its line may be something else. */
        private boolean belongs(String line, boolean wrapped) {
            boolean whole = !wrapped && joined.chars().filter(c -> c == '.').count() >= 2;
            return Randomness.isRandom(line) || (!whole && Randomness.isNoProse(line));
        }
    }
}
