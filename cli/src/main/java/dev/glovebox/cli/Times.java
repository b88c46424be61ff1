package dev.glovebox.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Moments and durations of traces, for people. */
final class Times {

    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

    private Times() {}

    /** In the time zone of whoever looks. */
    static String local(long micros) {
        return local(instant(micros));
    }

    static String local(Instant moment) {
        return LOCAL.format(moment.atZone(ZoneId.systemDefault()));
    }

    static String exact(long micros) {
        return instant(micros).toString();
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    static String took(Duration duration) {
        double millis = duration.toNanos() / 1e6;
        return millis < 1_000
                ? String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1_000);
    }
}
