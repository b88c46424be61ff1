package dev.glovebox.agent;

import static dev.glovebox.agent.SecretFinder.nextLine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Private keys as PuTTY keeps them, whole or cut off: so many lines of base64. */
final class PuttyKeys implements SecretFinder {

    private static final Pattern LINES =
            Pattern.compile("Private-Lines:[ \t]{0,3}+([0-9]{1,4}+)(?=[ \t\r\n])");

    /** What is cut off earlier tells little of it. */
    private static final int SHORTEST = 32;

    @Override
    public List<Stretch> find(Reading reading) {
        String text = reading.text();
        List<Stretch> found = new ArrayList<>();
        Matcher header = BoundedPattern.matcher(LINES, text);
        while (header.find()) {
            int from = nextLine(text, header.end());
            int end = end(text, from, Integer.parseInt(header.group(1)));
            if (end - from >= SHORTEST && Randomness.isMixed(text.substring(from, end))) {
                found.add(new Stretch(from, end, "private key"));
            }
        }
        return found;
    }

    private static int end(String text, int from, int most) {
        int end = from;
        int next = from;
        for (int lines = 0; lines < most; lines++) {
            int to = EncodedSecrets.run(text, next);
            if (to == next) {
                return end;
            }
            end = to;
            next = nextLine(text, to);
        }
        return end;
    }
}
