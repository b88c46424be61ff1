package dev.glovebox.sandbox;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as people write them in a policy or on the command line: {@code 500ms}, {@code 10s},
 * {@code 2m}.
 */
public final class Durations {

    private static final Pattern TEXT =
            Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,3})?) ?(ms|s|m|h)");

    private Durations() {}

    /**
     * Reads a number with its unit; a bare number is refused, since nobody can tell seconds from
     * milliseconds.
     *
     * @throws IllegalArgumentException if the text is not a duration
     */
    public static Duration parse(String text) {
        Matcher matcher = TEXT.matcher(text.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(complaint(text));
        }
        long unit =
                switch (matcher.group(2)) {
                    case "ms" -> 1_000_000L;
                    case "s" -> 1_000_000_000L;
                    case "m" -> 60_000_000_000L;
                    default -> 3_600_000_000_000L;
                };
        try {
            return Duration.ofNanos(
                    new BigDecimal(matcher.group(1))
                            .multiply(BigDecimal.valueOf(unit))
                            .longValueExact());
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(complaint(text), e);
        }
    }

    private static String complaint(String text) {
        return Wording.quote(text) + " is not a duration: write it like 500ms, 10s, 1.5s, 2m or 1h";
    }

    /** The shortest form of its whole milliseconds, which {@link #parse} reads back. */
    public static String format(Duration duration) {
        long millis = duration.toMillis();
        if (millis == 0 || millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1000;
        if (seconds % 60 != 0) {
            return seconds + "s";
        }
        return seconds % 3600 == 0 ? seconds / 3600 + "h" : seconds / 60 + "m";
    }
}
