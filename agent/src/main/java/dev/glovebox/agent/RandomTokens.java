package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isBase64;

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
        return (from >= 2 && isLine(text, from)) || (end - from >= LINE && isFollowed(text, end));
    }

    private static boolean isLine(String text, int from) {
        int last = from - 1;
        if (text.charAt(last) != '\n') {
            return false;
        }
        last = text.charAt(last - 1) == '\r' ? last - 1 : last;
        int length = 0;
        while (last - length > 0 && length < LINE && isBase64(text.charAt(last - length - 1))) {
            length++;
        }
        return length == LINE && Randomness.isMixed(text.substring(last - length, last));
    }

    private static boolean isFollowed(String text, int end) {
        int next = end;
        while (next < text.length() && next - end < 2 && "\r\n".indexOf(text.charAt(next)) >= 0) {
            next++;
        }
        int last = next;
        while (last < text.length() && last - next < LINE && isBase64(text.charAt(last))) {
            last++;
        }
        return next > end
                && last - next >= SHORTEST
                && Randomness.isMixed(text.substring(next, last));
    }
}
