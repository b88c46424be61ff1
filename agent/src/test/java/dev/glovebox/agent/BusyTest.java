package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class BusyTest {

    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "250,'',PT0.25S",
        "250,7,PT0.25S",
        "soon,7,PT7S",
        "'',' 7 ',PT7S",
        "'','Thu, 01 Jan 2026 00:00:30 GMT',PT30S",
        "'','Wed, 31 Dec 2025 23:59:59 GMT',",
        "'',7.5,",
        "'','',",
    })
    void theHeadersOfVendorsAreUnderstoodOrLeftAlone(String millis, String time, Duration after) {
        HttpHeaders headers =
                HttpHeaders.of(
                        Map.of("Retry-After-Ms", List.of(millis), "Retry-After", List.of(time)),
                        (name, value) -> !value.isEmpty());
        assertThat(Busy.after(headers, NOW).orElse(null)).isEqualTo(after);
    }
}
