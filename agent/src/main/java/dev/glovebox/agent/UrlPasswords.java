package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.isBlank;

import java.util.ArrayList;
import java.util.List;

/** Passwords in URLs and connection strings: {@code postgres://user:password@host}. */
final class UrlPasswords implements SecretFinder {

    private static final String SLASHES = "://";
    private static final int LONGEST = 256;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        int slashes = text.indexOf(SLASHES);
        while (slashes >= 0) {
            int from = slashes + SLASHES.length();
            int colon = -1;
            int at = -1;
            for (int i = from; i < text.length() && i - from < LONGEST; i++) {
                char c = text.charAt(i);
                if (isBlank(c) || "\"'`<>|\\\u2039\u2423".indexOf(c) >= 0 || isEnd(reading, c, i)) {
                    break;
                }
                colon = colon < 0 && c == ':' ? i : colon;
                at = c == '@' ? i : at;
            }
            if (colon >= 0 && at > colon + 1 && !Templates.is(text.substring(colon + 1, at))) {
                found.add(new Stretch(colon + 1, at, "password"));
            }
            slashes = text.indexOf(SLASHES, from);
        }
        return found;
    }

    /** What is encoded belongs to the password. */
    private static boolean isEnd(Reading reading, char c, int index) {
        return (c == '/' || c == '?' || c == '#') && reading.isLiteral(index);
    }
}
