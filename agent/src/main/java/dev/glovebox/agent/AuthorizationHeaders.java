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
                            + "(?:(?:bearer|basic|token|apikey|digest)[ \t]{1,3})?"
                            + "([A-Za-z0-9._~+/=:-]{8,}+)");

    private static final Pattern BEARER =
            Pattern.compile("(?i)\\bbearer[\"'`]?[ \t:=]{1,3}([A-Za-z0-9._~+/=-]{16,}+)");

    @Override
    public List<Stretch> find(Reading reading) {
        List<Stretch> found = new ArrayList<>();
        Matcher header = BoundedPattern.matcher(HEADER, reading.text());
        while (header.find()) {
            add(found, header, Randomness.hasLetter(header.group(1)));
        }
        Matcher bearer = BoundedPattern.matcher(BEARER, reading.text());
        while (bearer.find()) {
            add(found, bearer, Randomness.isMixed(bearer.group(1)));
        }
        return found;
    }

    private static void add(List<Stretch> found, Matcher matcher, boolean secret) {
        if (secret && !Templates.is(matcher.group(1))) {
            found.add(new Stretch(matcher.start(1), matcher.end(1), "authorization"));
        }
    }
}
