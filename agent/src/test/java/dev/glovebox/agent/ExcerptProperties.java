package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;

/** Any text, cut to any length. */
class ExcerptProperties {

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void theBeginningIsNoLongerThanItMayBe(
            @ForAll String text, @ForAll @IntRange(max = 400) int most) {
        String excerpt = Excerpt.bytes(text, most);
        if (Tokens.bytes(text) <= most) {
            assertThat(excerpt).isEqualTo(text);
            return;
        }
        int note = excerpt.lastIndexOf("\n[cut: ");
        String kept = excerpt.substring(0, note);
        assertThat(text).startsWith(kept);
        assertThat(Tokens.bytes(kept)).isBetween(Math.max(0L, most - 3L), (long) most);
        long left = Tokens.bytes(text) - Tokens.bytes(kept);
        assertThat(excerpt.substring(note))
                .isEqualTo(
                        "\n[cut: %d of %d bytes are not shown]"
                                .formatted(left, Tokens.bytes(text)));
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void bothEndsAreNoLongerThanTheyMayBe(
            @ForAll String text, @ForAll @IntRange(max = 400) int most) {
        String excerpt = Excerpt.ends(text, most);
        assertThat(Tokens.bytes(excerpt)).isLessThanOrEqualTo(most);
        assertThat(Excerpt.ends(excerpt, most)).isEqualTo(excerpt);
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void theEndIsNoLongerThanItMayBe(@ForAll String text, @ForAll @IntRange(max = 400) int most) {
        String excerpt = Excerpt.last(text, most);
        assertThat(excerpt.length()).isLessThanOrEqualTo(most + 1);
        assertThat(text).endsWith(text.length() <= most ? excerpt : excerpt.substring(1));
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void whatIsShownCanBeSeen(@ForAll String text, @ForAll @IntRange(max = 400) int most) {
        String line = Excerpt.line(text, most);
        assertThat(line.codePoints()).allMatch(Excerpt::isSeen);
        assertThat(line.codePointCount(0, line.length()))
                .isLessThanOrEqualTo(most * "\\u10ffff".length() + 1);
        String seen = Excerpt.seen(text, most);
        assertThat(seen.codePoints())
                .allMatch(point -> Excerpt.isSeen(point) || point == '\n' || point == '\t');
        assertThat(seen.length()).isLessThanOrEqualTo(most + " [cut]".length());
    }

    @Property(tries = 300, shrinking = ShrinkingMode.OFF)
    void noCharacterIsCutInTwo(@ForAll @IntRange(max = 100) int most) {
        String text = "\ud83d\ude00".repeat(60);
        for (String excerpt :
                new String[] {
                    Excerpt.bytes(text, most),
                    Excerpt.ends(text, most),
                    Excerpt.last(text, most),
                    Excerpt.line(text, most),
                    Excerpt.seen(text, most)
                }) {
            assertThat(new String(excerpt.getBytes(UTF_8), UTF_8)).isEqualTo(excerpt);
        }
    }
}
