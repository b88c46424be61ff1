package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a program printed. */
record Printed(String text) {

    private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?");

    List<String> lines() {
        return text.lines().toList();
    }

    /** What follows a label, at the start of a line. */
    String after(String label) {
        Matcher matcher =
                Pattern.compile("(?m)^" + Pattern.quote(label) + "[ \\t]*(.*)$").matcher(text);
        assertThat(matcher.find()).as("a line with '%s' in:%n%s", label, text).isTrue();
        return matcher.group(1).strip();
    }

    /** The lines behind the one that starts so. */
    List<String> below(String label) {
        List<String> lines = lines();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(label)) {
                return lines.subList(i + 1, lines.size());
            }
        }
        throw new AssertionError("No line starts with '%s' in:%n%s".formatted(label, text));
    }

    static List<BigInteger> integers(String line) {
        return Pattern.compile("-?\\d+")
                .matcher(line)
                .results()
                .map(MatchResult::group)
                .map(BigInteger::new)
                .toList();
    }

    static List<Double> numbers(String line) {
        return NUMBER.matcher(line).results().map(found -> Double.valueOf(found.group())).toList();
    }

    boolean says(String label) {
        return text.contains(label);
    }
}
