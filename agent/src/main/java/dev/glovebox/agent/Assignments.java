package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isBlank;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values whose names say that they are secret: {@code password=}, {@code "api_key": }. */
final class Assignments implements SecretFinder {

    private static final Pattern NAME =
            Pattern.compile(
                    "(?i)(?=[pstcame])(p(?:ass(?:word|wd|phrase|code)|wd)|secret|token|credentials?"
                            + "|(?:api|access|secret|private|account|shared|auth|signing|encryption"
                            + "|master)[_ -]?key)"
                            + "[\"'`]?([ \t]{0,8}+)(=>|:=|[:=](?!=)|is(?=[ \t]))([ \t]{0,8}+)");

    private static final Pattern OPTION =
            Pattern.compile("--(?i:password|passwd|token|secret|api-key)[ =]{1,2}");

    private static final Pattern IDENTIFIER =
            Pattern.compile(
                    "[A-Za-z_][A-Za-z0-9_]{0,80}+(?:\\.[A-Za-z_][A-Za-z0-9_]{0,80}+){0,9}+");

    /** The last ones are what injection puts in the place of others. */
    private static final String ENDS = "\"'`,;&<>(){}[]|\\\u2039\u27e6\u2423\u205a";

    private static final int LONGEST = 512;
    private static final int SHORTEST = 4;
    private static final int SHORTEST_BARE = 6;
    private static final int SHORTEST_MIXED = 10;

    /** How a value was given. */
    private record Given(String value, int from, boolean quoted, boolean apart, boolean assigned) {}

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        Matcher name = BoundedPattern.matcher(NAME, text);
        while (name.find()) {
            boolean apart = !name.group(2).isEmpty();
            Given given = given(text, name.end(), apart, name.group(3).equals("="));
            String word = name.group(1).toLowerCase(Locale.ROOT);
            boolean password = word.startsWith("p") && !word.endsWith("key");
            if (password ? isPassword(given) : isKey(given)) {
                found.add(stretch(given, password ? "password" : "key"));
            }
        }
        Matcher option = BoundedPattern.matcher(OPTION, text);
        while (option.find()) {
            Given given = given(text, option.end(), false, true);
            if (given.value.length() >= SHORTEST
                    && !given.value.startsWith("-")
                    && !Templates.is(given.value)
                    && (given.quoted || Randomness.hasDigit(given.value))) {
                found.add(stretch(given, "password"));
            }
        }
        return found;
    }

    private static Stretch stretch(Given given, String kind) {
        return new Stretch(given.from, given.from + given.value.length(), kind);
    }

    private static Given given(String text, int from, boolean apart, boolean assigned) {
        boolean quoted = from < text.length() && "\"'`".indexOf(text.charAt(from)) >= 0;
        int start = quoted ? from + 1 : from;
        int end = start;
        while (end < text.length()
                && end - start <= LONGEST
                && (quoted
                        ? text.charAt(end) != text.charAt(from) && text.charAt(end) != '\n'
                        : !isBlank(text.charAt(end)) && ENDS.indexOf(text.charAt(end)) < 0)) {
            end++;
        }
        boolean called =
                !quoted
                        && end < text.length()
                        && (text.charAt(end) == '(' || text.charAt(end) == '[');
        boolean open = quoted && (end >= text.length() || text.charAt(end) == '\n');
        String value = called || open || end - start > LONGEST ? "" : text.substring(start, end);
        if (!quoted && value.endsWith(".")) {
            value = value.substring(0, value.length() - 1);
        }
        return new Given(value, start, quoted, apart, assigned);
    }

    private static boolean isPassword(Given given) {
        String value = given.value;
        if (value.length() < SHORTEST || Templates.is(value) || value.indexOf(' ') >= 0) {
            return false;
        }
        if (given.quoted) {
            return true;
        }
        boolean code = given.apart && given.assigned && IDENTIFIER.matcher(value).matches();
        return !code
                && value.length() >= SHORTEST_BARE
                && Randomness.hasLetter(value)
                && Randomness.hasDigit(value);
    }

    /** Other names than those of passwords are also given to harmless things. */
    private static boolean isKey(Given given) {
        String value = given.value;
        return value.length() >= SHORTEST_MIXED
                && value.indexOf(' ') < 0
                && !Templates.is(value)
                && Randomness.hasLetter(value)
                && Randomness.isMixed(value);
    }
}
