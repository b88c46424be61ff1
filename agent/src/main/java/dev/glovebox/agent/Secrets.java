package dev.glovebox.agent;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Puts placeholders where keys, tokens and passwords are. */
final class Secrets implements Guardrail {

    /** Where two agree, the first one names it. */
    private static final List<SecretFinder> FINDERS =
            List.of(
                    new PrivateKeys(),
                    new PuttyKeys(),
                    new VendorTokens(),
                    new WrappedJwts(),
                    new UrlPasswords(),
                    new AuthorizationHeaders(),
                    new Assignments());

    private static final SecretFinder ENCODED = new EncodedSecrets(FINDERS);

    /** Asked last, about what nobody else knows. */
    private static final SecretFinder UNMARKED = new RandomTokens();

    /** What is replaced may have hidden where the next one begins. */
    private static final int MOST_ROUNDS = 5;

    /** As JSON has it, where quotes are wanted by what comes instead. */
    private static final Pattern NUMBER =
            Pattern.compile("-?[0-9]++(?:\\.[0-9]++)?(?:[eE][+-]?[0-9]++)?");

    private static final String PLACEHOLDER = "[secret: ";
    private static final Pattern PLACEHOLDERS =
            Pattern.compile("\\[secret: [a-z -]{1,40} #([0-9]{1,6})\\]");

    @Override
    public String name() {
        return "secrets";
    }

    @Override
    public Verdict check(Passage passage) {
        List<Stretch> all = new ArrayList<>();
        String text = passage.text();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            Reading reading = Reading.of(text);
            List<Stretch> stretches = find(reading);
            if (stretches.isEmpty()) {
                break;
            }
            text = replaced(text, reading, stretches);
            all.addAll(stretches);
        }
        return all.isEmpty() ? new Verdict.Pass() : new Verdict.Changed(text, reason(all));
    }

    private static List<Stretch> find(Reading reading) {
        List<Stretch> all = new ArrayList<>();
        for (SecretFinder finder : FINDERS) {
            all.addAll(finder.find(reading));
        }
        all.addAll(ENCODED.find(reading));
        BitSet known = new BitSet();
        all.forEach(stretch -> known.set(stretch.from(), stretch.to()));
        for (Stretch stretch : UNMARKED.find(reading)) {
            if (known.get(stretch.from(), stretch.to()).isEmpty()) {
                all.add(stretch);
            }
        }
        return Stretch.apart(all);
    }

    /** The same secret gets the same number, so that a reader still sees what is equal. */
    private static String replaced(String text, Reading reading, List<Stretch> stretches) {
        Map<String, Integer> numbers = new HashMap<>();
        int before = last(text);
        StringBuilder clean = new StringBuilder(text.length());
        int done = 0;
        for (Stretch stretch : stretches) {
            String secret =
                    reading.text().substring(stretch.from(), stretch.to()).replaceAll("\\s", "");
            int number = numbers.computeIfAbsent(secret, _ -> before + numbers.size() + 1);
            String quote = quote(text, reading, stretch);
            clean.append(text, done, reading.origin(stretch.from()));
            clean.append(quote)
                    .append(PLACEHOLDER)
                    .append(stretch.kind())
                    .append(" #")
                    .append(number)
                    .append(']')
                    .append(quote);
            done = reading.origin(stretch.to());
        }
        return clean.append(text, done, text.length()).toString();
    }

    /**
     * What stands around the name of a bare number, as it is written there, which may be in a text
     * within another one: so JSON stays JSON. Empty: it is no such number.
     */
    private static String quote(String text, Reading reading, Stretch stretch) {
        String read = reading.text();
        int colon = before(read, stretch.from());
        if (!NUMBER.matcher(read.substring(stretch.from(), stretch.to())).matches()
                || colon < 0
                || read.charAt(colon) != ':') {
            return "";
        }
        int quote = before(read, colon);
        return quote >= 0 && "\"'".indexOf(read.charAt(quote)) >= 0
                ? text.substring(reading.origin(quote), reading.origin(quote + 1))
                : "";
    }

    /** The last character before a place that is no blank; negative: there is none. */
    private static int before(String text, int index) {
        int at = index - 1;
        while (at >= 0 && SecretFinder.isBlank(text.charAt(at))) {
            at--;
        }
        return at;
    }

    /** The greatest number in a text that was looked at before. */
    private static int last(String text) {
        int last = 0;
        if (text.contains(PLACEHOLDER)) {
            Matcher matcher = BoundedPattern.matcher(PLACEHOLDERS, text);
            while (matcher.find()) {
                last = Math.max(last, Integer.parseInt(matcher.group(1)));
            }
        }
        return last;
    }

    private static String reason(List<Stretch> stretches) {
        Map<String, Long> counts =
                stretches.stream()
                        .collect(
                                Collectors.groupingBy(
                                        Stretch::kind, TreeMap::new, Collectors.counting()));
        return counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", ", "replaced ", ""));
    }
}
