package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBlank;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Tells passwords that somebody wrote down from what else is given to things of that name:
 * variables, types, labels, paths.
 */
final class Passwords {

    private static final int SHORTEST = 4;
    private static final int SHORTEST_BARE = 6;
    private static final int MOST_WORDS = 12;

    /** In characters; an argument list may go on in the next line. */
    private static final int LOOK_AHEAD = 100;

    private static final Pattern IDENTIFIER =
            Pattern.compile(
                    "[A-Za-z_][A-Za-z0-9_]{0,80}+(?:(?:\\.|::)[A-Za-z_][A-Za-z0-9_]{0,80}+){0,9}+");

    private static final Pattern CONSTANT =
            Pattern.compile("[A-Za-z]{1,40}+(?:[_.-][A-Za-z]{1,40}+){1,9}+");

    /** Those of sentences; who throws dice for words has none of them. */
    private static final Set<String> SMALL_WORDS =
            Set.of(
                    "a", "an", "the", "is", "are", "be", "was", "must", "should", "may", "can",
                    "cannot", "your", "you", "please", "to", "not", "no", "for", "of", "at", "in",
                    "on", "and", "or", "with", "has", "have", "this", "that", "it", "enter");

    /** How it was given: by which sign, and whether there were blanks. */
    enum Sign {
        /** password=… */
        TIGHT,
        /** password = …, password := … */
        APART,
        /** password: …, password is … */
        OTHER
    }

    /**
     * A value, and where it is.
     *
     * @param name what it is given to, in small letters
     * @param quote in what it stands; 0: in nothing
     * @param isCut whether more of it follows, which is as secret
     */
    record Given(
            String text,
            String name,
            String value,
            int from,
            char quote,
            Sign sign,
            boolean isCut) {

        boolean isQuoted() {
            return quote != 0;
        }

        int end() {
            return from + value.length();
        }
    }

    private Passwords() {}

    static boolean is(Given given) {
        String value = given.value();
        if (value.length() < SHORTEST || Templates.is(value) || isFolder(given)) {
            return false;
        }
        if (given.isQuoted()) {
            return value.indexOf(' ') < 0
                    ? !(CONSTANT.matcher(value).matches() && saysPass(value))
                    : given.sign() != Sign.OTHER && given.quote() != '`' && isPhrase(value);
        }
        boolean digit = Randomness.hasDigit(value);
        if (!digit && isPath(value)) {
            return false;
        }
        boolean longer = value.length() >= SHORTEST_BARE;
        boolean name = IDENTIFIER.matcher(value).matches();
        return switch (given.sign()) {
            case TIGHT -> (longer && digit) || !(name ? isCode(given) : isPointer(given));
            case APART -> longer && digit && !name && isWord(value);
            case OTHER -> longer && digit && isWord(value);
        };
    }

    /** PWD is also where a shell is. */
    private static boolean isFolder(Given given) {
        return given.name().equals("pwd") && isPath(given.value());
    }

    private static boolean isPath(String value) {
        return value.startsWith("/")
                || value.startsWith("~/")
                || value.startsWith("./")
                || value.startsWith("../");
    }

    /** Dates and numbers with signs have none of the letters that passwords have. */
    private static boolean isWord(String value) {
        return Randomness.hasLetter(value) || value.chars().allMatch(Character::isDigit);
    }

    /**
     * Whether a name without digits is that of a variable: in a list of arguments, of several
     * parts, or if it says itself that it is a password.
     */
    private static boolean isCode(Given given) {
        String value = given.value();
        return value.indexOf('.') >= 0
                || value.indexOf(':') >= 0
                || saysPass(value)
                || isArgument(given)
                || isLabel(given);
    }

    private static boolean isPointer(Given given) {
        return given.value().endsWith("-") && given.text().startsWith(">", given.end());
    }

    private static boolean saysPass(String value) {
        String lower = value.toLowerCase(Locale.ROOT);
        return lower.contains("pass") || lower.contains("pwd");
    }

    private static boolean isArgument(Given given) {
        int at = given.end();
        int most = Math.min(given.text().length(), at + LOOK_AHEAD);
        while (at < most && isBlank(given.text().charAt(at))) {
            at++;
        }
        return at < most && ",)".indexOf(given.text().charAt(at)) >= 0;
    }

    /** A line of a file of labels: {@code forgot.password=Forgot your password?}. */
    private static boolean isLabel(Given given) {
        int end = given.end();
        if (!given.text().startsWith(" ", end)) {
            return false;
        }
        int most = Math.min(given.text().length(), end + LOOK_AHEAD);
        int last = end;
        while (last < most && "\r\n=".indexOf(given.text().charAt(last)) < 0) {
            last++;
        }
        boolean more = last < most && given.text().charAt(last) == '=';
        return !more && saysPass(given.text().substring(end, last));
    }

    /** Words, but no sentence, no label, and no code between two strings. */
    private static boolean isPhrase(String value) {
        List<String> words = List.of(value.split(" ", -1));
        boolean label =
                Character.isUpperCase(value.charAt(0))
                        && value.substring(1).equals(value.substring(1).toLowerCase(Locale.ROOT));
        return words.size() <= MOST_WORDS
                && !label
                && !saysPass(value)
                && ".?:".indexOf(value.charAt(value.length() - 1)) < 0
                && words.stream()
                        .allMatch(word ->
                                !word.isEmpty()
                                        && isAlphanumeric(word.charAt(0))
                                        && !SMALL_WORDS.contains(word.toLowerCase(Locale.ROOT)));
    }
}
