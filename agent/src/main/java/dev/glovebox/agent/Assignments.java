package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBlank;

import dev.glovebox.agent.Passwords.Given;
import dev.glovebox.agent.Passwords.Sign;
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

    /** The last ones are what injection puts in the place of others. */
    private static final String ENDS = "\"'`,;&<>(){}[]|\\\u2039\u27e6\u2423\u205a";

    /**
     * So much of a value tells what it is; if it is secret, what goes on behind that is as well.
     */
    private static final int JUDGED = 256;

    private static final int SHORTEST = 4;
    private static final int SHORTEST_MIXED = 10;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        Matcher name = BoundedPattern.matcher(NAME, text);
        int done = 0;
        while (name.find()) {
            if (name.start() < done) {
                continue; // it stands in a value that was taken
            }
            String word = name.group(1).toLowerCase(Locale.ROOT);
            Given given = given(text, word, name.end(), sign(name));
            boolean password = word.startsWith("p") && !word.endsWith("key");
            if (password ? Passwords.is(given) : isKey(given)) {
                found.add(stretch(given, password ? "password" : "key"));
                done = found.getLast().to();
            }
        }
        done = 0;
        Matcher option = BoundedPattern.matcher(OPTION, text);
        while (option.find()) {
            if (option.start() < done) {
                continue;
            }
            Given given = given(text, "", option.end(), Sign.OTHER);
            if (given.value().length() >= SHORTEST
                    && !given.value().startsWith("-")
                    && !Templates.is(given.value())
                    && (given.isQuoted() || Randomness.hasDigit(given.value()))) {
                found.add(stretch(given, "password"));
                done = found.getLast().to();
            }
        }
        return found;
    }

    private static Sign sign(Matcher name) {
        return switch (name.group(3)) {
            case "=" ->
                    !name.group(2).isEmpty()
                            ? Sign.APART
                            : name.group(4).isEmpty() ? Sign.TIGHT : Sign.OTHER;
            case ":=" -> Sign.APART;
            default -> Sign.OTHER;
        };
    }

    private static Stretch stretch(Given given, String kind) {
        int end = given.end();
        if (given.isCut()) {
            while (end < given.text().length() && goesOn(given.text().charAt(end))) {
                end++;
            }
        }
        return new Stretch(given.from(), end, kind);
    }

    private static boolean goesOn(char c) {
        return c > ' ' && c <= '~' && ENDS.indexOf(c) < 0;
    }

    private static Given given(String text, String name, int from, Sign sign) {
        char quote = from < text.length() ? text.charAt(from) : 0;
        if ("\"'`".indexOf(quote) < 0) {
            return bare(text, name, from, sign);
        }
        int start = from + 1;
        int end = start;
        while (end < text.length()
                && end - start < JUDGED
                && text.charAt(end) != quote
                && text.charAt(end) != '\n') {
            end++;
        }
        if (end < text.length() && text.charAt(end) == quote) {
            return new Given(text, name, text.substring(start, end), start, quote, sign, false);
        }
        // The text may be cut off; but the quote may also be the end of a string of a program.
        boolean bare =
                end - start == JUDGED
                        || (start < text.length() && isAlphanumeric(text.charAt(start)));
        return bare
                ? bare(text, name, start, Sign.OTHER)
                : new Given(text, name, "", start, (char) 0, Sign.OTHER, false);
    }

    private static Given bare(String text, String name, int from, Sign sign) {
        int end = from;
        while (end < text.length()
                && end - from < JUDGED
                && !isBlank(text.charAt(end))
                && ENDS.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        boolean called =
                end < text.length() && (text.charAt(end) == '(' || text.charAt(end) == '[');
        boolean cut = end - from == JUDGED && end < text.length() && goesOn(text.charAt(end));
        String value = called ? "" : text.substring(from, end);
        if (!cut && value.endsWith(".")) {
            value = value.substring(0, value.length() - 1);
        }
        return new Given(text, name, value, from, (char) 0, sign, cut);
    }

    /** Other names than those of passwords are also given to harmless things. */
    private static boolean isKey(Given given) {
        String value = given.value();
        return value.length() >= SHORTEST_MIXED
                && value.indexOf(' ') < 0
                && !Templates.is(value)
                && Randomness.hasLetter(value)
                && Randomness.isMixed(value);
    }
}
