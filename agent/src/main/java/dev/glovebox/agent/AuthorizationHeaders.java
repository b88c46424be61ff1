package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What follows {@code Authorization:} or {@code Bearer}. */
final class AuthorizationHeaders implements SecretFinder {

    private static final Pattern HEADER =
            Pattern.compile(
                    "(?i)authorization[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}[\"'`]?"
                            + "(?:(bearer|basic|token|apikey|digest)[ \t]{1,3})?"
                            + "([A-Za-z0-9._~+/=:-]{8,}+)");

    private static final Pattern BEARER =
            Pattern.compile("(?i)\\b(bearer)[\"'`]?[ \t:=]{1,3}([A-Za-z0-9._~+/=-]{16,}+)");

    /** In files of registries: the name and the password, in base64. */
    private static final Pattern PAIR =
            Pattern.compile(
                    "(?i)auth[\"'`]?[ \t]{0,3}[:=][ \t]{0,3}[\"'`]?(([A-Za-z0-9+/]{8,}+={0,2}))");

    private static final Pattern NAME_AND_PASSWORD = Pattern.compile("[!-~&&[^:]]++:[!-~]{4,}+");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.:]*+");

    /** No word is so long. */
    private static final Pattern NO_WORD = Pattern.compile("[a-z]{20,}+|[A-Z]{20,}+");

    private static final int SHORTEST_WITHOUT_SCHEME = 10;

    /** One character of so many, at least, is a digit in tokens of small letters and digits. */
    private static final int LETTERS_FOR_A_DIGIT = 6;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        Matcher header = BoundedPattern.matcher(HEADER, text);
        while (header.find()) {
            String scheme = header.group(1);
            String value = header.group(2);
            add(found, text, header, scheme == null ? isToken(value) : isGiven(scheme, value));
        }
        Matcher bearer = BoundedPattern.matcher(BEARER, text);
        while (bearer.find()) {
            add(found, text, bearer, Randomness.isMixed(bearer.group(2)));
        }
        Matcher pair = BoundedPattern.matcher(PAIR, text);
        while (pair.find()) {
            String plain = EncodedSecrets.text(pair.group(2)).orElse("");
            add(found, text, pair, NAME_AND_PASSWORD.matcher(plain).matches());
        }
        return found;
    }

    private static void add(List<Stretch> found, String text, Matcher matcher, boolean secret) {
        int end = matcher.end(2);
        boolean called = end < text.length() && "([".indexOf(text.charAt(end)) >= 0;
        if (secret && !called && !Templates.is(matcher.group(2))) {
            found.add(new Stretch(matcher.start(2), end, "authorization"));
        }
    }

    /** Behind a scheme: variables and words have no digits. */
    private static boolean isGiven(String scheme, String value) {
        return (Randomness.hasLetter(value) && Randomness.hasDigit(value))
                || Randomness.isNoProse(value)
                || NO_WORD.matcher(value).matches()
                || (scheme.equalsIgnoreCase("basic")
                        && EncodedSecrets.text(value).orElse("").contains(":"));
    }

    /** Without one, programs have names there, and files have settings. */
    private static boolean isToken(String value) {
        return value.length() >= SHORTEST_WITHOUT_SCHEME
                && Randomness.hasLetter(value)
                && Randomness.isMixed(value)
                && !value.contains("://")
                && (!NAME.matcher(value).matches() || isNoName(value));
    }

    private static boolean isNoName(String value) {
        long digits = value.chars().filter(Character::isDigit).count();
        boolean parts = value.chars().anyMatch(c -> "._:".indexOf(c) >= 0);
        return Randomness.isRandom(value)
                || (!parts && digits * LETTERS_FOR_A_DIGIT >= value.length());
    }
}
