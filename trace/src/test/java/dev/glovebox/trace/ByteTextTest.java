package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ByteTextTest {

    private static String written(ByteText text) {
        return new String(text.bytes(), StandardCharsets.UTF_8);
    }

    private static String number(long value) {
        ByteText text = new ByteText();
        text.number(value);
        return written(text);
    }

    @Property
    void numbersAreDecimal(@ForAll long value) {
        assertThat(number(value)).isEqualTo(Long.toString(value));
    }

    @Test
    void numbersAroundEachLengthAreDecimal() {
        LongStream.iterate(1, power -> power <= Long.MAX_VALUE / 10, power -> power * 10)
                .flatMap(power -> LongStream.of(power - 1, power, 10 * power - 1, 10 * power))
                .forEach(value -> {
                    assertThat(number(value)).isEqualTo(Long.toString(value));
                    assertThat(number(-value)).isEqualTo(Long.toString(-value));
                });
        assertThat(number(Long.MIN_VALUE)).isEqualTo(Long.toString(Long.MIN_VALUE));
    }

    @Test
    void whatHasNoShortFormIsNotAdded() {
        ByteText text = new ByteText();
        text.ascii("before");
        for (String other : new String[] {"ab\u0000", "\u001f", "ü", "\ud83d\ude00", "\ud800"}) {
            assertThat(text.quoted(other)).isFalse();
        }
        assertThat(text.quoted("a\"b\\c\b\f\n\r\td\u007f")).isTrue();
        assertThat(written(text)).isEqualTo("before\"a\\\"b\\\\c\\b\\f\\n\\r\\td\u007f\"");
    }

    @Property
    void itGrowsWithWhatIsAdded(@ForAll byte[] one, @ForAll byte[] other) {
        ByteText inner = new ByteText();
        inner.add(other);
        ByteText text = new ByteText();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            text.add(one);
            text.add(inner);
            expected.writeBytes(one);
            expected.writeBytes(other);
        }
        assertThat(text.bytes()).isEqualTo(expected.toByteArray());
        assertThat(text.size()).isEqualTo(expected.size());
    }
}
