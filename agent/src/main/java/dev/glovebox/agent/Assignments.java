package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isAlphanumeric;
import static dev.glovebox.agent.SecretFinder.isBlank;

import dev.glovebox.agent.Passwords.Given;
import dev.glovebox.agent.Passwords.Sign;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Values whose names say that they are secret: {@code password=}, {@code "api_key": }. */
final class Assignments implements SecretFinder {

    private static final Pattern NAME =
            Pattern.compile(
                    "(?i)(?=[pstcame])(p(?:ass(?:word|wd|phrase|code)?+|wd)|secret|token|credentials?"
                            + "|(?<=:_)authtoken"
                            + "|(?:api|access|secret|private|account|shared|auth|signing|encryption"
                            + "|master)[_ -]?key)"
                            + "[\"'`]?([ \t]{0,8}+)(=>|:=|[:=](?!=)|is(?=[ \t]))([ \t]{0,8}+)");

    private static final Pattern OPTION =
            Pattern.compile("--(?i:password|passwd|token|secret|api-key)[ =]{1,2}");

    /** Between the words of an entry, also where its lines are quoted. */
    private static final String GAP = "[\\s>|#*]{1,32}+";

    /** An entry of a file of netrc, with what its password is given to. */
    private static final Pattern NETRC =
            Pattern.compile(
                    "\\bmachine"
                            + GAP
                            + "(?:localhost|[\\w-]{1,63}+(?:\\.[\\w-]{1,63}+){1,9}+)"
                            + GAP
                            + "login"
                            + GAP
                            + "\\S{1,128}+(?:"
                            + GAP
                            + "account"
                            + GAP
                            + "\\S{1,128}+)?"
                            + GAP
                            + "password"
                            + GAP);

    /**
     * Whose password a name is that ends in "pass", in whole words: others are passes through
     * something, or counts of what has passed.
     */
    private static final Pattern OWNER =
            Pattern.compile(
                    "(?s).*(?:(?<![A-Za-z])|(?<=[a-z])(?=[A-Z]))(?i:(?:admin|root|user|login|o?auth"
                            + "|db|database|(?:my|ms|pg|postgre)?sql|mariadb|postgres|pg|redis"
                            + "|mongo|mongodb|rabbitmq|amqp|ldap|smtp|[eg]?mail|imap|s?ftp|ssh|https?"
                            + "|proxy|registry|vpn|wifi|key|keystore|truststore)[_-]?){1,3}");

    /** How much of a name is looked at before that. */
    private static final int LONGEST_OWNER = 24;

    /** What a server passes on to; a password in it is found by itself. */
    private static final Pattern URL = Pattern.compile("(?i)[a-z][a-z0-9+.-]{0,20}+://");

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
            Given given = given(reading, word, name);
            boolean password = word.startsWith("p") && !word.endsWith("key");
            boolean named = password || word.equals("authtoken");
            if (named ? isPassword(given, name) : isKey(given)) {
                found.add(stretch(given, password ? "password" : "key"));
                done = found.getLast().to();
            }
        }
        found.addAll(behind(OPTION, reading, Assignments::isOption));
        found.addAll(behind(NETRC, reading, _ -> true));
        return found;
    }

    private static boolean isPassword(Given given, Matcher name) {
        boolean pass = given.name().equals("pass");
        return (!pass || (hasOwner(given.text(), name.start()) && !isUrl(given.value())))
                && Passwords.is(given);
    }

    private static boolean hasOwner(String text, int pass) {
        String before = text.substring(Math.max(0, pass - LONGEST_OWNER), pass);
        return OWNER.matcher(before).matches();
    }

    private static boolean isUrl(String value) {
        return URL.matcher(value).lookingAt();
    }

    /** What stands behind a mark, without a sign between them. */
    private static List<Stretch> behind(Pattern mark, Reading reading, Predicate<Given> isGiven) {
        List<Stretch> found = new ArrayList<>();
        Matcher matcher = BoundedPattern.matcher(mark, reading.text());
        int done = 0;
        while (matcher.find()) {
            if (matcher.start() < done) {
                continue;
            }
            Given given = given(reading, "", matcher.end(), Sign.OTHER);
            if (given.value().length() >= SHORTEST
                    && !Templates.is(given.value())
                    && isGiven.test(given)) {
                found.add(stretch(given, "password"));
                done = found.getLast().to();
            }
        }
        return found;
    }

    private static boolean isOption(Given given) {
        return !given.value().startsWith("-")
                && (given.isQuoted() || Randomness.hasDigit(given.value()));
    }

    private static Given given(Reading reading, String word, Matcher name) {
        Given given = given(reading, word, name.end(), sign(name));
        if (given.isQuoted() || given.sign() != Sign.TIGHT) {
            return given;
        }
        String text = reading.text();
        int bare = bareEnd(text, name.end());
        int end = EnvironmentLines.end(text, name.start(), name.end(), bare);
        return end == bare
                ? given
                : new Given(
                        text,
                        word,
                        text.substring(name.end(), end),
                        name.end(),
                        (char) 0,
                        Sign.TIGHT,
                        false);
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

    private static Given given(Reading reading, String name, int from, Sign sign) {
        String text = reading.text();
        char quote = from < text.length() ? text.charAt(from) : 0;
        if ("\"'`".indexOf(quote) < 0) {
            return bare(text, name, from, sign);
        }
        int start = from + 1;
        int limit = Math.min(text.length(), start + JUDGED + 1);
        int line = text.indexOf('\n', start, limit);
        limit = line < 0 ? limit : line;
        int end = closing(reading, from, limit);
        if (end >= 0) {
            return new Given(text, name, text.substring(start, end), start, quote, sign, false);
        }
        // The text may be cut off; but the quote may also be the end of a string of a program.
        boolean bare =
                limit - start >= JUDGED
                        || (start < text.length() && isAlphanumeric(text.charAt(start)));
        return bare
                ? bare(text, name, start, Sign.OTHER)
                : new Given(text, name, "", start, (char) 0, Sign.OTHER, false);
    }

    /**
     * The quote that ends a value; negative: there is none. One that is escaped, where the first
     * one is not, belongs to the value, but not if that puts other words into it: a backslash does
     * not escape in all languages.
     */
    private static int closing(Reading reading, int quote, int limit) {
        String text = reading.text();
        char mark = text.charAt(quote);
        int first = text.indexOf(mark, quote + 1, limit);
        int end = first;
        while (end >= 0 && reading.isLiteral(quote) && reading.isEscaped(end)) {
            end = text.indexOf(mark, end + 1, limit);
        }
        boolean otherWords =
                end > first
                        && text.indexOf(' ', first, end) >= 0
                        && text.indexOf(' ', quote, first) < 0;
        return end < 0 || otherWords ? first : end;
    }

    private static int bareEnd(String text, int from) {
        int end = from;
        while (end < text.length()
                && end - from < JUDGED
                && !isBlank(text.charAt(end))
                && ENDS.indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return end;
    }

    private static Given bare(String text, String name, int from, Sign sign) {
        int end = bareEnd(text, from);
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
