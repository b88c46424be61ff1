package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is told by a shape is what the JSON of the values would tell. */
class ShapeTest {

    enum Colour {
        RED,
        GREEN
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(Round.class), @JsonSubTypes.Type(Square.class)})
    sealed interface Figure {}

    @JsonTypeName("round")
    record Round(double radius) implements Figure {}

    @JsonTypeName("square")
    record Square(List<String> sides) implements Figure {}

    sealed interface Nameless {}

    record Only(int one) implements Nameless {}

    record Whole(
            String name,
            int number,
            @Nullable String perhapsNull,
            Optional<Figure> figure,
            List<Figure> figures,
            List<String> words,
            Colour colour,
            Instant time) {}

    record Tree(String name, List<Tree> branches) {}

    record Bytes(byte[] bytes) {}

    record Mapped(Map<String, String> map) {}

    record Renamed(@JsonProperty("other") String name) {}

    record Anything(Object value) {}

    record Holding(Nameless value) {}

    record Json1(JsonNode tree) {}

    record Maybe(Optional<Bytes> bytes) {}

    private static final Whole WHOLE =
            new Whole(
                    "a",
                    1,
                    null,
                    Optional.of(new Round(1.5)),
                    List.of(new Square(List.of("x")), new Round(2)),
                    List.of(),
                    Colour.RED,
                    Instant.EPOCH);

    private static <T> boolean holds(T value) {
        return Shape.of(value.getClass()).holds(value);
    }

    @Test
    void recordsOfWhatCannotChangeHold() {
        assertThat(holds(WHOLE)).isTrue();
        assertThat(holds(new Tree("a", List.of(new Tree("b", List.of()))))).isTrue();
        assertThat(holds(new Maybe(Optional.empty()))).isTrue();
    }

    @Test
    void whatCanChangeDoesNotHold() {
        assertThat(holds(new Bytes(new byte[1]))).isFalse();
        assertThat(holds(new Maybe(Optional.of(new Bytes(new byte[1]))))).isFalse();
        assertThat(holds(new Json1(IntNode.valueOf(1)))).isFalse();
        assertThat(holds(new Tree("a", new ArrayList<>()))).isFalse();
        assertThat(holds(new Tree("a", Arrays.asList(new Tree("b", List.of()))))).isFalse();
        assertThat(holds(new Tree("a", List.of(new Tree("b", new ArrayList<>()))))).isFalse();
    }

    @Test
    void whatDoesNotComeBackAsItIsDoesNotHold() {
        assertThat(holds(new Mapped(Map.of("a", "b")))).isFalse();
        assertThat(holds(new Renamed("a"))).isFalse();
        assertThat(holds(new Anything(1L))).isFalse();
        assertThat(holds(new Holding(new Only(1)))).isFalse();
    }

    /** The change by the values, and by their JSON. */
    private static <T> void assertSameChange(Class<T> type, T before, T after) {
        Shape.OfRecord shape = (Shape.OfRecord) Shape.of(type);
        Snapshot was = Snapshot.of(dev.glovebox.run.Json.bytes(before));
        Snapshot is = Snapshot.of(dev.glovebox.run.Json.bytes(after));
        assertThat(shape.change(before, after).orElseThrow())
                .asString()
                .isEqualTo(new String(was.to(is), java.nio.charset.StandardCharsets.UTF_8));
    }

    @Test
    void aChangeIsWhatTheJsonWouldSay() {
        Whole other =
                new Whole(
                        "b",
                        1,
                        "now",
                        Optional.empty(),
                        List.of(new Square(List.of("x")), new Round(2), new Round(3)),
                        List.of("first"),
                        Colour.GREEN,
                        Instant.EPOCH.plusNanos(1));
        assertSameChange(Whole.class, WHOLE, WHOLE);
        assertSameChange(Whole.class, WHOLE, other);
        assertSameChange(Whole.class, other, WHOLE);
    }

    @Test
    void aListThatCouldChangeIsNotBelieved() {
        Shape.OfRecord shape = (Shape.OfRecord) Shape.of(Tree.class);
        Tree fixed = new Tree("a", List.of());
        Tree open = new Tree("a", new ArrayList<>(List.of(new Tree("b", List.of()))));
        assertThat(shape.change(fixed, open)).isEmpty();
        Tree within = new Tree("a", List.of(new Tree("b", new ArrayList<>())));
        assertThat(shape.change(fixed, within)).isEmpty();
        Tree same = new Tree("a", List.of(new Tree("b", List.of())));
        Tree equal =
                new Tree("a", List.of(new Tree("b", new ArrayList<>()), new Tree("c", List.of())));
        assertThat(shape.change(same, equal)).isEmpty();
    }

    @Test
    void halfACharacterIsNotBelieved() {
        Shape.OfRecord shape = (Shape.OfRecord) Shape.of(Tree.class);
        assertThat(shape.change(new Tree("a", List.of()), new Tree("\ud800", List.of()))).isEmpty();
    }

    @Property
    void changesOfListsAreWhatTheJsonWouldSay(
            @ForAll List<String> one, @ForAll List<String> more, @ForAll boolean append) {
        List<String> before = one.stream().map(ShapeTest::clean).toList();
        List<String> tail = more.stream().map(ShapeTest::clean).toList();
        List<String> after = new ArrayList<>(append ? before : List.of());
        after.addAll(tail);
        assertSameChange(
                Square.class, new Square(List.copyOf(before)), new Square(List.copyOf(after)));
    }

    private static String clean(String text) {
        return dev.glovebox.run.Json.scrubbed(text);
    }
}
