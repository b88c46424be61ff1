package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a reader takes a text for, and where in the text it is. */
class ReadingTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "%2fetc",
                "%25252fetc",
                "\\u002fetc",
                "\\\\\\\\u002fetc",
                "\\/etc",
                "\\u00252fetc",
                "\\\\u0025252fetc",
                "%5cu002fetc",
                "%5c%75002fetc",
                "%255Cu00252fetc",
                "\\u005cu002fetc",
                "\\u005c\\u0075\\u0030\\u0030\\u0032\\u0066etc",
                "\\\\\\u0075002fetc",
                "%\\u0032fetc",
                "%2\u200bfetc",
                "\uff052fetc",
                "\\u\uff10\uff102fetc",
                "\\x2fetc",
                "%c0%afetc",
                "%e2%81%84etc",
                "%EF%BC%8Fetc",
                "/%E2%80%8Be%F3%A0%81%81tc",
                "/\\udb40\\udc41etc",
                "/\ud835\udc1etc",
                "/\u24d4tc",
            })
    void escapesAreUndoneInWhateverOrderTheyWereApplied(String written) {
        assertThat(Reading.of(written).text()).isEqualTo("/etc");
        assertThat(Reading.of(written).origin(0)).isZero();
    }

    @Test
    void whatIsFoundIsFoundWhereItWasWritten() {
        String text = "a \\u00252fb%5cu002fc\u200b d";
        Reading reading = Reading.of(text);
        assertThat(reading.text()).isEqualTo("a /b/c d");
        assertThat(text.substring(reading.origin(2), reading.origin(3))).isEqualTo("\\u00252f");
        assertThat(text.substring(reading.origin(4), reading.origin(5))).isEqualTo("%5cu002f");
        assertThat(text.substring(reading.origin(5), reading.origin(6))).isEqualTo("c\u200b");
        assertThat(reading.origin(8)).isEqualTo(text.length());
        assertThat(reading.isLiteral(2)).isFalse();
        assertThat(reading.isLiteral(3)).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "100% of 25,100% of 25",
        "%,%",
        "%4,%4",
        "%zz,%zz",
        "%e2%81,%e2%81",
        "%ff%80,%ff%80",
        "\\,\\",
        "C:\\Users,C:\\Users",
        "C:\\\\\\\\Users,C:\\Users",
        "C:\\\\\\\\\\Users,C:\\Users",
        "a\\\\\\u0064c,adc",
        "\\u12,\\u12",
        "\u00e4\ud83d\ude00,\u00e4\ud83d\ude00",
    })
    void whatIsNoEscapeStays(String written, String read) {
        assertThat(Reading.of(written).text()).isEqualTo(read);
    }
}
