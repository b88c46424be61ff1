package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** What holds for the reading of every text. */
class ReadingProperties {

    private static final int MILLION = 1_000_000;

    private static final List<String> PIECES =
            List.of(
                    "\\", "%", "u", "x", "25", "5c", "00", "002", "2f", "n", "\"", "\u200b", "%e2",
                    "%81", "%84", "\\u", "\\ud83d", "\\udb40", "\\udc41", "\uff05", "a", "\ud83d",
                    "\ude00");

    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.oneOf(Arbitraries.of(PIECES), Arbitraries.strings().ofMaxLength(3))
                .list()
                .ofMaxSize(60)
                .map(pieces -> String.join("", pieces));
    }

    @Provide
    Arbitrary<String> paths() {
        return Arbitraries.strings().withChars("abc/.-=:<| 0129AKI").ofMinLength(1).ofMaxLength(20);
    }

    @Property(tries = 2000)
    void toReadAReadingChangesNothing(@ForAll("texts") String text) {
        String read = Reading.of(text).text();
        assertThat(Reading.of(read).text()).isEqualTo(read);
    }

    @Property(tries = 2000)
    void everyCharacterComesFromAPlaceThatIsNotBeforeThatOfTheLastOne(
            @ForAll("texts") String text) {
        Reading reading = Reading.of(text);
        assertThat(reading.text()).hasSizeLessThanOrEqualTo(text.length());
        int before = 0;
        for (int i = 0; i <= reading.text().length(); i++) {
            assertThat(reading.origin(i)).isBetween(before, text.length());
            before = reading.origin(i);
        }
    }

    @Property(tries = 2000)
    void whateverIsEscapedInLayersIsRead(
            @ForAll("paths") String path,
            @ForAll @IntRange(max = 5) int layers,
            @ForAll long seed) {
        Random random = new Random(seed);
        String written = path;
        for (int layer = 0; layer < layers; layer++) {
            written = escaped(written, random);
        }
        assertThat(Reading.of(written).text()).isEqualTo(path);
    }

    /** One layer, of JSON or of a URL: of all characters, or of those that must be. */
    private static String escaped(String text, Random random) {
        boolean json = random.nextBoolean();
        boolean all = random.nextBoolean();
        StringBuilder to = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean must = c == '\\' || (!json && c == '%');
            if (json && must && random.nextBoolean()) {
                to.append("\\\\");
            } else if (must || all) {
                to.append((json ? "\\u%04x" : "%%%02x").formatted((int) c));
            } else {
                to.append(c);
            }
        }
        return to.toString();
    }

    /** Whoever did the work again for each layer would not come to an end here. */
    @Property(tries = 20)
    void manyLayersTakeNoMoreThanTheirLength(@ForAll("texts") String text) {
        String deep = "%" + "25".repeat(MILLION) + "5c".repeat(2) + "u0025".repeat(MILLION / 5);
        assertThat(Reading.of(deep + text).text()).hasSizeLessThan(deep.length());
        String hostile = text.repeat(1 + MILLION / Math.max(1, text.length()));
        assertThat(Reading.of(hostile).text()).hasSizeLessThanOrEqualTo(hostile.length());
        assertThat(Reading.of("\\".repeat(MILLION) + "n").text()).isEqualTo("\n");
    }
}
