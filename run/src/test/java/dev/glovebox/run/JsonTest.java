package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class JsonTest {

    private static String text(Object value) {
        return new String(Json.bytes(value), StandardCharsets.UTF_8);
    }

    private static <T> void assertSurvives(T value, Class<T> type) {
        assertThat(Json.value(Json.bytes(value), type)).isEqualTo(value);
    }

    record Bag(Set<String> words, Map<String, Integer> counts) {}

    @Test
    void setsAndMapsAreWrittenInOneOrderWhateverTheOneInMemoryIs() {
        Set<String> many = new HashSet<>();
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 99; i >= 0; i--) {
            many.add("w" + i);
            counts.put("w" + i, i);
        }
        assertThat(text(new Bag(many, counts)))
                .isEqualTo(text(new Bag(Set.copyOf(many), Map.copyOf(counts))));
        assertThat(text(new Bag(Set.of("b", "a"), Map.of("d", 1, "c", 2))))
                .isEqualTo("{\"words\":[\"a\",\"b\"],\"counts\":{\"c\":2,\"d\":1}}");
    }

    @Test
    void aSetThatHasAnOrderKeepsIt() {
        assertThat(text(new LinkedHashSet<>(List.of("b", "a")))).isEqualTo("[\"b\",\"a\"]");
        assertThat(text(new TreeSet<>(List.of("b", "a")))).isEqualTo("[\"a\",\"b\"]");
    }

    record Said(String text, List<String> more) {}

    @Test
    void halfASurrogatePairBecomesAReplacementWhereverItStands() {
        assertThat(text("a\uD83Db")).isEqualTo("\"a\uFFFDb\"");
        assertThat(text(new Said("\uDE00", List.of("ok \uD83D\uDE00", "x\uD83D"))))
                .isEqualTo("{\"text\":\"\uFFFD\",\"more\":[\"ok \uD83D\uDE00\",\"x\uFFFD\"]}");
        assertThat(text(Map.of("k\uD83D", new Said("\uD83D", List.of()))))
                .isEqualTo("{\"k\uFFFD\":{\"text\":\"\uFFFD\",\"more\":[]}}");
        assertThat(Json.tree(new Said("\uD83D", List.of())).path("text").textValue())
                .isEqualTo("\uFFFD");
    }

    @Test
    void aTextThatOnlyLooksLikeHalfAPairIsLeftAlone() {
        assertThat(text("\\uD83D \uD83D")).isEqualTo("\"\\\\uD83D \uFFFD\"");
        assertThat(text("\\\uD83D\n")).isEqualTo("\"\\\\\uFFFD\\n\"");
    }

    record Sums(long large, BigInteger larger, BigDecimal exact, double rough) {}

    @Test
    void numbersKeepAllTheirDigits() {
        Sums sums =
                new Sums(
                        Long.MAX_VALUE,
                        BigInteger.TWO.pow(200),
                        new BigDecimal("0.10000000000000000000000000001"),
                        0.1);
        assertSurvives(sums, Sums.class);
        // As a tree too, since that is what interceptors see and what is recorded.
        assertThat(new String(Json.bytes(Json.tree(sums)), StandardCharsets.UTF_8))
                .isEqualTo(text(sums));
        assertThat(text(Json.tree(new BigDecimal("1.50")))).isEqualTo("1.50");
    }

    record Event(Instant at, Duration took, Optional<String> by, Optional<Instant> until) {}

    @Test
    void timesAndOptionalsSurvive() {
        Instant at = Instant.parse("2026-01-01T12:00:00.123456789Z");
        assertSurvives(
                new Event(at, Duration.ofNanos(1), Optional.of("x"), Optional.empty()),
                Event.class);
        assertSurvives(
                new Event(at, Duration.ofDays(400), Optional.empty(), Optional.of(at)),
                Event.class);
    }

    record Account(String name, boolean open) {

        public boolean isRich() {
            return !open;
        }

        public String getLabel() {
            return name + "?";
        }
    }

    @Test
    void whatARecordSaysBesideItsComponentsIsNotWritten() {
        assertThat(text(new Account("a", true))).isEqualTo("{\"name\":\"a\",\"open\":true}");
        assertSurvives(new Account("a", true), Account.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
    @JsonSubTypes({@JsonSubTypes.Type(Circle.class), @JsonSubTypes.Type(Square.class)})
    sealed interface Shape {}

    @JsonTypeName("circle")
    record Circle(int radius) implements Shape {}

    @JsonTypeName("square")
    record Square(int side) implements Shape {}

    record Drawing(Shape first, List<Shape> others, Set<Shape> odd, Optional<Shape> last) {}

    @Test
    void alternativesAreKnownByTheirNames() {
        assertSurvives(
                new Drawing(
                        new Circle(1),
                        List.of(new Square(2), new Circle(3)),
                        Set.of(new Circle(5), new Square(4)),
                        Optional.of(new Square(6))),
                Drawing.class);
    }

    @Test
    void whatCannotBeWrittenIsNamed() {
        Object[] loop = new Object[1];
        loop[0] = loop;
        assertThatThrownBy(() -> Json.bytes(loop))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Cannot be written as JSON: ")
                .hasMessageContaining("Use a record");
    }
}
