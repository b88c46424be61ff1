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
        Optional<String> whole = text(joined.toString());
        if (whole.isPresent()) {
            return hasSecret(whole.get())
                    ? List.of(stretch(lines.getFirst().from(), lines.getLast().to()))
                    : List.of();
        }
        return lines.stream()
                .filter(line ->
                        text(text.substring(line.from(), line.to()))
                                .filter(this::hasSecret)
                                .isPresent())
                .toList();
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
