package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isBase64;
import static dev.glovebox.agent.SecretFinder.nextLine;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * Base64 of texts in which there is a secret, also in lines, and also of such base64: what is in it
 * is shorter each time, so all of them together take no more than some times what the first takes.
 */
final class EncodedSecrets implements SecretFinder {

    private static final int SHORTEST = 24;

    /** Programs that encode break what is longer than 64 or 76 characters. */
    private static final int LINE = 60;

    /** Of a word before it, with what separates them, such as a slash, which is base64 too. */
    private static final int MOST_GLUED = 24;

    /** One character of so many may be no text. */
    private static final int TEXT_FOR_NO_TEXT = 20;

    private static final char DELETE = '\u007f';
    private static final char NO_CHARACTER = '\ufffd';

    private final List<SecretFinder> inside;

    EncodedSecrets(List<SecretFinder> inside) {
        this.inside = inside;
    }

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = run(text, at);
            // A ruler has no letters.
            if (end - at >= SHORTEST && Randomness.hasLetter(text.substring(at, end))) {
                List<Stretch> lines = lines(text, at, end);
                end = lines.getLast().to();
                found.addAll(secrets(text, lines));
            }
            at = Math.max(end, at + 1);
        }
        return found;
    }

    /**
     * All lines as one if they are a text together, or else each by itself; never both, since with
     * each layer of base64 that would be twice as many.
     */
    private List<Stretch> secrets(String text, List<Stretch> lines) {
        StringBuilder joined = new StringBuilder();
        lines.forEach(line -> joined.append(text, line.from(), line.to()));
        Optional<Decoded> whole = decoded(joined.toString());
        if (whole.isPresent()) {
            int from = lines.getFirst().from() + whole.get().from();
            return hasSecret(whole.get().text())
                    ? List.of(stretch(from, lines.getLast().to()))
                    : List.of();
        }
        return lines.size() == 1
                ? List.of()
                : lines.stream().flatMap(line -> secrets(text, List.of(line)).stream()).toList();
    }

    /** The text, and where what stands for it begins. */
    private record Decoded(int from, String text) {}

    private static Optional<Decoded> decoded(String token) {
        int from = 0;
        do {
            int start = from;
            Optional<String> text = text(token.substring(start));
            if (text.isPresent()) {
                return text.map(one -> new Decoded(start, one));
            }
            from = behindGlue(token, start);
        } while (from > 0 && token.length() - from >= SHORTEST);
        return Optional.empty();
    }

    /** Behind the next character that also separates words; 0: there is none near the beginning. */
    private static int behindGlue(String token, int from) {
        for (int at = from; at < Math.min(MOST_GLUED, token.length()); at++) {
            if ("/-_".indexOf(token.charAt(at)) >= 0) {
                return at + 1;
            }
        }
        return 0;
    }

    private boolean hasSecret(String decoded) {
        Reading reading = Reading.of(decoded);
        return inside.stream().anyMatch(finder -> !finder.find(reading).isEmpty())
                || !find(reading).isEmpty();
    }

    /** The line that ends there, and those that go on with it. */
    private static List<Stretch> lines(String text, int from, int end) {
        List<Stretch> lines = new ArrayList<>();
        lines.add(stretch(from, end));
        int length = end - from;
        int next = nextLine(text, end);
        while (length >= LINE && text.charAt(lines.getLast().to() - 1) != '=') {
            int to = run(text, next);
            if (to == next || to - next > length) {
                break;
            }
            lines.add(stretch(next, to));
            length = to - next;
            next = nextLine(text, to);
        }
        return lines;
    }

    private static Stretch stretch(int from, int to) {
        return new Stretch(from, to, "encoded secret");
    }

    /** Where base64 ends that begins here, with its padding. */
    static int run(String text, int from) {
        int end = from;
        while (end < text.length() && isBase64(text.charAt(end)) && text.charAt(end) != '=') {
            end++;
        }
        while (end > from && end < text.length() && text.charAt(end) == '=') {
            end++;
        }
        return end;
    }

    /** The text that it stands for, if it does: bytes of other things are none. */
    static Optional<String> text(String token) {
        String plain = token.replace('-', '+').replace('_', '/').replace("=", "");
        // One character more than whole groups is where a text was cut off.
        int length = plain.length() % 4 == 1 ? plain.length() - 1 : plain.length();
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(plain.substring(0, length));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        long noText = text.chars().filter(c -> !isText(c)).count();
        return noText * TEXT_FOR_NO_TEXT <= text.length() ? Optional.of(text) : Optional.empty();
    }

    private static boolean isText(int c) {
        return c == '\n'
                || c == '\r'
                || c == '\t'
                || (c >= ' ' && c != DELETE && c != NO_CHARACTER);
    }
}
