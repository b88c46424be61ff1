package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BytesTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "17, 17",
        "17B, 17",
        "64k, 65536",
        "64KiB, 65536",
        "256m, 268435456",
        "256 MiB, 268435456",
        "2g, 2147483648",
        "1TiB, 1099511627776"
    })
    void readsNumbersWithAndWithoutUnits(String text, long count) {
        assertThat(Bytes.parse(text)).isEqualTo(new Bytes(count));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "MiB",
                "-1",
                "+1",
                "1.5GiB",
                "12MB",
                "1 k b",
                "0x10",
                "1_000",
                "٣",
                "9999999999999999999",
                "999999999999TiB",
                "1e3"
            })
    void refusesNonsense(String text) {
        assertThatThrownBy(() -> Bytes.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not an amount of bytes: write it like 256MiB");
    }

    @Property
    void readsBackWhatItWrites(
            @ForAll @LongRange(min = 0, max = 999_999_999_999_999_999L) long count) {
        assertThat(Bytes.parse(new Bytes(count).toString())).isEqualTo(new Bytes(count));
    }

    @Property
    void readsBackWholeUnits(@ForAll @LongRange(min = 0, max = 1L << 22) long count) {
        assertThat(Bytes.parse(Bytes.mebibytes(count).toString()))
                .isEqualTo(Bytes.mebibytes(count));
        assertThat(Bytes.parse(Bytes.kibibytes(count).toString()))
                .isEqualTo(Bytes.kibibytes(count));
    }

    @Property
    void throwsNothingButItsComplaint(@ForAll String text) {
        try {
            assertThat(Bytes.parse(text).count()).isNotNegative();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("is not an amount of bytes");
        }
    }
}
