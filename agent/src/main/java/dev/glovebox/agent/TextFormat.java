package dev.glovebox.agent;

import java.net.URI;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.util.UUID;

/** How a value of a Java type is written as a text. */
enum TextFormat {
    DATE("date", "a date such as 2025-01-31"),
    TIME("time", "a time such as 14:30:00"),
    LOCAL("local-date-time", "a date and a time such as 2025-01-31T14:30:00"),
    MOMENT("date-time", "a moment such as 2025-01-31T14:30:00Z"),
    DURATION("duration", "a duration such as PT1H30M"),
    ID("uuid", "an id such as 123e4567-e89b-12d3-a456-426614174000"),
    ADDRESS("uri", "an address such as https://example.org/page");

    private final String word;
    private final String expected;

    TextFormat(String word, String expected) {
        this.word = word;
        this.expected = expected;
    }

    /** What a schema calls it. */
    String word() {
        return word;
    }

    /** What a model is told that should have come. */
    String expected() {
        return expected;
    }

    boolean matches(String text) {
        try {
            Object _ = read(text);
            return !text.isBlank();
        } catch (DateTimeException | IllegalArgumentException e) {
            return false;
        }
    }

    private Object read(String text) {
        return switch (this) {
            case DATE -> LocalDate.parse(text);
            case TIME -> LocalTime.parse(text);
            case LOCAL -> LocalDateTime.parse(text);
            case MOMENT -> moment(text);
            case DURATION -> Duration.parse(text);
            case ID -> id(text);
            case ADDRESS -> URI.create(text);
        };
    }

    /** One that can be had in both of the ways that Java has for it. */
    private static Object moment(String text) {
        Object _ = Instant.parse(text);
        return OffsetDateTime.parse(text);
    }

    private static Object id(String text) {
        UUID id = UUID.fromString(text);
        if (!id.toString().equalsIgnoreCase(text)) {
            throw new IllegalArgumentException("It is shortened");
        }
        return id;
    }
}
