package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"500ms, 500", "10s, 10000", "1.5s, 1500", "2m, 120000", "0.5 h, 1800000", "0s, 0"})
    void readsNumbersWithTheirUnit(String text, long millis) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "s",
                "-1s",
                "+1s",
                "1,5s",
                "1.s",
                ".5s",
                "10sec",
                "1d",
                "1e3s",
                "٣s",
                "999999999h",
                "999999999999999h",
                "1s2"
            })
    void refusesNonsense(String text) {
        assertThatThrownBy(() -> Durations.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not a duration: write it like 500ms");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0ms",
        "1, 1ms",
        "1500, 1500ms",
        "90000, 90s",
        "120000, 2m",
        "3600000, 1h",
        "5400000, 90m"
    })
    void writesTheShortestForm(long millis, String text) {
        assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(text);
    }

    @Property
    void readsBackWhatItWrites(@ForAll @LongRange(min = 0, max = 9_000_000_000_000L) long millis) {
        Duration duration = Duration.ofMillis(millis);
        assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
    }

    @Property
    void readsBackWholeMinutes(@ForAll @LongRange(min = 0, max = 100_000) long minutes) {
        Duration duration = Duration.ofMinutes(minutes);
        assertThat(Durations.parse(Durations.format(duration))).isEqualTo(duration);
    }

    @Property
    void throwsNothingButItsComplaint(@ForAll String text) {
        try {
            assertThat(Durations.parse(text)).isGreaterThanOrEqualTo(Duration.ZERO);
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("is not a duration");
        }
    }
}
