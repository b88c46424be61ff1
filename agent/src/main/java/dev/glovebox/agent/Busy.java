package dev.glovebox.agent;

import dev.langchain4j.exception.HttpException;
import java.io.Serial;
import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** A refusal by which a vendor says when to come back. */
final class Busy extends HttpException {

    @Serial private static final long serialVersionUID = 1L;

    // Ten digits of seconds are three centuries.
    private static final Pattern NUMBER = Pattern.compile("\\d{1,10}");

    // Google says it in the body, in the form of its duration: up to nine digits behind the point.
    private static final Pattern DELAY =
            Pattern.compile("\"retryDelay\"\\s*:\\s*\"(\\d{1,10}(?:\\.\\d{1,9})?)s\"");

    private final Duration after;

    Busy(int status, String body, Duration after) {
        super(status, body);
        this.after = after;
    }

    /** When to come back, if somebody was told so. */
    static Optional<Duration> after(Throwable problem) {
        for (Throwable inner = problem; inner != null; inner = inner.getCause()) {
            if (inner instanceof Busy busy) {
                return Optional.of(busy.after);
            }
        }
        return Optional.empty();
    }

    /** What the body of an answer says; nothing if it does not. */
    static Optional<Duration> after(String body) {
        return DELAY.matcher(body)
                .results()
                .map(delay -> Duration.parse("PT" + delay.group(1) + "S"))
                .findFirst();
    }

    /** What the headers of an answer say; nothing if they say nothing that can be understood. */
    static Optional<Duration> after(HttpHeaders headers, Instant now) {
        Optional<Duration> exact =
                headers.firstValue("retry-after-ms")
                        .map(String::strip)
                        .filter(NUMBER.asMatchPredicate())
                        .map(text -> Duration.ofMillis(Long.parseLong(text)));
        return exact.or(() -> headers.firstValue("retry-after").flatMap(text -> read(text, now)));
    }

    private static Optional<Duration> read(String text, Instant now) {
        String stripped = text.strip();
        if (NUMBER.matcher(stripped).matches()) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(stripped)));
        }
        try {
            ZonedDateTime time =
                    ZonedDateTime.parse(stripped, DateTimeFormatter.RFC_1123_DATE_TIME);
            return Optional.of(Duration.between(now, time)).filter(wait -> !wait.isNegative());
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
