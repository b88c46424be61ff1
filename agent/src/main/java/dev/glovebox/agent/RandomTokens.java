package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isBase64;
import static dev.glovebox.agent.SecretFinder.isMargin;
import static dev.glovebox.agent.SecretFinder.nextLine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Tokens that nobody marked, but that look like nothing but a key. */
final class RandomTokens implements SecretFinder {

    private static final int SHORTEST = 24;

    /** Longer ones are data. */
    private static final int LONGEST = 128;

    /** A line of data, in base64, is at least so long. */
    private static final int LINE = 60;

    /** Of a list behind bullets; so many lines before or behind one also tell what it is. */
    private static final int MOST_LINES = 12;

    /** What goes before a digest, a public key or data. */
    private static final List<String> HARMLESS =
            List.of(
                    "sha1", "sha224", "sha256", "sha384", "sha512", "md5", "h1", "base64",
                    "base64,");

    private static final int LOOK_BACK = 10;

    /** How names of C++ and Rust begin as linkers and debuggers write them. */
    private static final Pattern MANGLED = Pattern.compile("__?(?:Z[A-Z0-9]|R[A-Z])");

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int end = EncodedSecrets.run(text, at);
            if (end - at >= SHORTEST && end - at <= LONGEST && isSecret(text, at, end)) {
                found.add(new Stretch(at, end, "random token"));
            }
            at = Math.max(end, at + 1);
        }
        return found;
    }

    private static boolean isSecret(String text, int from, int end) {
        String token = text.substring(from, end);
        return !token.startsWith("AAAA")
                && !MANGLED.matcher(token).lookingAt()
                && Randomness.isRandom(stripped(token))
                && !isDigest(text, from, token)
                && !isPartOfData(text, from, end)
                // Base64 of a text hides nothing that is not in the text, which was looked at.
                && EncodedSecrets.text(token).isEmpty();
    }

    /** Padding, and what only separates words, says nothing. */
    private static String stripped(String token) {
        return token.replaceAll("=+$", "");
    }

    private static boolean isDigest(String text, int from, String token) {
        String before = text.substring(Math.max(0, from - LOOK_BACK), from);
        String context = before.toLowerCase(Locale.ROOT);
        String lower = token.toLowerCase(Locale.ROOT);
        return HARMLESS.stream()
                .anyMatch(word ->
                        context.endsWith(word)
                                || context.endsWith(word + ":")
                                || context.endsWith(word + "=")
                                || lower.startsWith(word + "-")
                                || lower.startsWith(word + "/"));
    }

    /**
     * A line of a certificate or of an attachment has one like it before or after it. Rulers are as
     * long, but not mixed.
     */
    private static boolean isPartOfData(String text, int from, int end) {
        return (follows(text, from) || (end - from >= LINE && isFollowed(text, end)))
                && !isListed(text, from, end);
    }

    /**
     * Behind marks there are also lists of tokens: of letters and digits alone, which data hardly
     * is in several lines, or behind bullets a few that are equally long, which data is not, since
     * its last line is shorter.
     */
    private static boolean isListed(String text, int from, int end) {
        String margin = margin(text, from);
        if (margin.isBlank()) {
            return false;
        }
        List<String> lines = lines(text, new Line(from, end));
        boolean plain =
                lines.stream().noneMatch(line -> line.indexOf('+') >= 0 || line.indexOf('/') >= 0);
        boolean even = lines.stream().mapToInt(String::length).distinct().count() == 1;
        boolean bullets = margin.indexOf('*') >= 0 && lines.size() <= MOST_LINES;
        return plain || (bullets && even);
    }

    private record Line(int from, int to) {

        String in(String text) {
            return text.substring(from, to);
        }

        Line before(String text) {
            int end = lastLine(text, from);
            int start = end;
            while (start > 0 && isBase64(text.charAt(start - 1))) {
                start--;
            }
            return new Line(start, end);
        }

        Line behind(String text) {
            int start = nextLine(text, to);
            return new Line(start, EncodedSecrets.run(text, start));
        }

        boolean isLike(String text) {
            return to - from >= SHORTEST && Randomness.isMixed(in(text));
        }
    }

    /** A line, and those before and behind it that are like it, as far as need be. */
    private static List<String> lines(String text, Line line) {
        List<String> lines = new ArrayList<>(List.of(line.in(text)));
        Line last = line.behind(text);
        while (last.isLike(text) && lines.size() <= MOST_LINES) {
            lines.add(last.in(text));
            last = last.behind(text);
        }
        Line first = line.before(text);
        while (first.isLike(text) && lines.size() <= 2 * MOST_LINES) {
            lines.add(first.in(text));
            first = first.before(text);
        }
        return lines;
    }

    private static String margin(String text, int from) {
        int at = from;
        while (at > 0 && from - at < MOST_BETWEEN_LINES && isMargin(text.charAt(at - 1))) {
            at--;
        }
        return text.substring(at, from);
    }

    private static boolean follows(String text, int from) {
        int last = lastLine(text, from);
        int length = 0;
        while (last - length > 0 && length < LINE && isBase64(text.charAt(last - length - 1))) {
            length++;
        }
        return length == LINE && Randomness.isMixed(text.substring(last - length, last));
    }

    /** Where the line before ends; 0: there is none, or this one has begun with something else. */
    private static int lastLine(String text, int from) {
        int at = from - margin(text, from).length();
        if (at == 0 || text.charAt(at - 1) != '\n') {
            return 0;
        }
        return at > 1 && text.charAt(at - 2) == '\r' ? at - 2 : at - 1;
    }

    private static boolean isFollowed(String text, int end) {
        int next = nextLine(text, end);
        int last = next;
        while (last < text.length() && last - next < LINE && isBase64(text.charAt(last))) {
            last++;
        }
        return last - next >= SHORTEST && Randomness.isMixed(text.substring(next, last));
    }
}
