package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonValue;
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

    /** The same one, whatever has become of it. */
    record Ticket(int id, String status) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Ticket ticket && ticket.id == id;
        }

        @Override
        public int hashCode() {
            return id;
        }
    }

    record Desk(Ticket now, List<Ticket> waiting) {}

    private static final Ticket OPEN = new Ticket(1, "open");
    private static final Ticket DONE = new Ticket(1, "done");

    record Bytes(byte[] bytes) {}

    record Numbers(long least, long most, short small, byte tiny, double odd, boolean is) {}

    record Empty() {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Named.class, name = "by the interface"),
        @JsonSubTypes.Type(Unnamed.class),
        @JsonSubTypes.Type(Blank.class)
    })
    sealed interface Various {}

    @JsonTypeName("by itself")
    record Named(String name) implements Various {}

    record Unnamed(String name) implements Various {}

    @JsonTypeName("blank")
    record Blank() implements Various {}

    record Listed(List<Various> all) {}

    record Loud(String name) {
        @Override
        public String name() {
            return name.toUpperCase(java.util.Locale.ROOT);
        }
    }

    record Cents(int cents) {
        @JsonValue
        String text() {
            return cents + " cents";
        }
    }

    record Summed(int one) {
        @JsonProperty
        int twice() {
            return 2 * one;
        }
    }

    record Constructed(String name) {
        Constructed(@JsonProperty("n") String name) {
            this.name = name;
        }
    }

    interface Renaming {
        @JsonProperty("n")
        String name();
    }

    record Inheriting(String name) implements Renaming {}

    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    interface Brief {}

    record Leaving(String name, List<String> words) implements Brief {}

    record Created(String a, String b) {
        @JsonCreator
        static Created of(@JsonProperty("b") String b, @JsonProperty("a") String a) {
            return new Created(a, b);
        }
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
    @JsonTypeName("own")
    record Owning(double radius) implements Third {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(Owning.class), @JsonSubTypes.Type(Odd.class)})
    sealed interface Third {}

    @JsonTypeName("with \"quotes\"")
    record Odd(int one) implements Third {}

    record Tagged(
            @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is") List<Figure> figures) {}

    record Twice(Optional<Optional<String>> perhaps) {}

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
        RecordShape shape = (RecordShape) Shape.of(type);
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
    void whatSaysItselfThatItIsEqualIsLookedAt() {
        assertSameChange(Desk.class, new Desk(OPEN, List.of()), new Desk(DONE, List.of()));
        assertSameChange(Desk.class, new Desk(OPEN, List.of(OPEN)), new Desk(OPEN, List.of(DONE)));
        assertSameChange(
                Desk.class, new Desk(OPEN, List.of(OPEN)), new Desk(OPEN, List.of(DONE, OPEN)));
        assertSameChange(
                Desk.class, new Desk(OPEN, List.of()), new Desk(new Ticket(1, "open"), List.of()));
    }

    @Test
    void aListThatCouldChangeIsNotBelieved() {
        RecordShape shape = (RecordShape) Shape.of(Tree.class);
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
        RecordShape shape = (RecordShape) Shape.of(Tree.class);
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

    private static byte @Nullable [] written(Object value) {
        return Shape.of(value.getClass()).json(value);
    }

    @Test
    void whatIsWrittenIsWhatJacksonWouldWrite() {
        List<Object> values =
                List.of(
                        WHOLE,
                        new Whole(
                                "",
                                Integer.MIN_VALUE,
                                "\u0000\u001f\u007f \"quoted\" \\ \b\f\n\r\t",
                                Optional.of(new Square(List.of("ü", "\ud83d\ude00", "\u2028"))),
                                List.of(),
                                List.of("x".repeat(100_000)),
                                Colour.GREEN,
                                Instant.MAX),
                        new Numbers(
                                Long.MIN_VALUE, Long.MAX_VALUE, (short) -1, (byte) 7, 0.1, true),
                        new Numbers(0, -10, (short) 10, (byte) 0, Double.NaN, false),
                        new Empty(),
                        new Blank(),
                        new Tree("a", List.of(new Tree("b", List.of()))));
        assertThat(values)
                .allSatisfy(value ->
                        assertThat(written(value))
                                .asString()
                                .isEqualTo(text(dev.glovebox.run.Json.bytes(value))));
    }

    @Test
    void whatDoesNotHoldIsNotWritten() {
        assertThat(written(new Tree("a", new ArrayList<>()))).isNull();
        assertThat(written(new Tree("\udc00", List.of()))).isNull();
        assertThat(written(new Bytes(new byte[1]))).isNull();
    }

    @Test
    void whatSaysInAnUnusualWayWhichRecordItIsIsLeftToJackson() {
        assertThat(written(new Listed(List.of(new Blank()))))
                .asString()
                .isEqualTo("{\"all\":[{\"is\":\"blank\"}]}");
        assertThat(written(new Listed(List.of(new Named("a"))))).isNull();
        assertThat(written(new Listed(List.of(new Unnamed("a"))))).isNull();
    }

    /** Whatever Jackson is told by whomever: it is asked, or what is written is the same. */
    @Test
    void whoHasASayInHowItIsWrittenIsHeard() {
        List<Object> values =
                List.of(
                        new Loud("quiet"),
                        new Cents(5),
                        new Summed(1),
                        new Constructed("a"),
                        new Inheriting("a"),
                        new Leaving("", List.of()),
                        new Created("a", "b"),
                        new Owning(1),
                        new Odd(1),
                        new Tagged(List.of(new Round(1))));
        assertThat(values)
                .allSatisfy(value ->
                        assertThat(text(dev.glovebox.run.Json.bytes(value, value.getClass())))
                                .isEqualTo(text(dev.glovebox.run.Json.bytes(value))));
        assertThat(written(new Loud("quiet"))).asString().isEqualTo("{\"name\":\"quiet\"}");
        assertThat(holds(new Twice(Optional.of(Optional.empty())))).isFalse();
    }

    @Test
    void whatIsTooDeepToBeReadIsLeftToJackson() {
        Tree tree = new Tree("leaf", List.of());
        for (int i = 0; i < Shape.MOST_DEPTH; i++) {
            tree = new Tree("branch", List.of(tree));
        }
        assertThat(written(tree)).isNull();
        assertThat(written(tree.branches().getFirst().branches().getFirst())).isNull();
    }

    @Property
    void textsAreWrittenAsJacksonWouldWriteThem(@ForAll List<String> words) {
        Square value = new Square(List.copyOf(words));
        boolean whole = words.stream().allMatch(word -> word.equals(clean(word)));
        if (whole) {
            assertThat(written(value))
                    .asString()
                    .isEqualTo(text(dev.glovebox.run.Json.bytes(value)));
        } else {
            assertThat(written(value)).isNull();
        }
    }

    private static String text(byte[] json) {
        return new String(json, java.nio.charset.StandardCharsets.UTF_8);
    }

    private static String clean(String text) {
        return dev.glovebox.run.Json.scrubbed(text);
    }
}
