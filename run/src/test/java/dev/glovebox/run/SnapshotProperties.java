package dev.glovebox.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/** Changes of states, whatever the states are. */
class SnapshotProperties {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    private static void assertLeadsTo(JsonNode before, JsonNode after) {
        Snapshot one = Snapshot.of(Json.bytes(before));
        Snapshot other = Snapshot.of(Json.bytes(after));
        byte[] change = one.to(other);
        assertThat(Json.tree(change).isObject()).isTrue();
        assertThat(text(one.apply(change).json())).isEqualTo(text(other.json()));
    }

    @Property
    void aChangeMakesOneStateOutOfAnother(
            @ForAll("states") JsonNode before, @ForAll("states") JsonNode after) {
        assertLeadsTo(before, after);
    }

    /** Most members stay, some go, some come, and lists grow, shrink and change. */
    @Property
    void aChangeMakesOneStateOutOfOneThatIsMuchLikeIt(
            @ForAll("states") JsonNode before,
            @ForAll("values") JsonNode value,
            @ForAll long seed) {
        assertLeadsTo(before, changed(before, value, new Random(seed)));
    }

    private static JsonNode changed(JsonNode before, JsonNode value, Random random) {
        List<Map.Entry<String, JsonNode>> members = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : before.properties()) {
            switch (random.nextInt(6)) {
                case 0 -> {}
                case 1 -> members.add(Map.entry(member.getKey(), value));
                case 2 -> members.add(Map.entry(member.getKey(), longer(member, value)));
                case 3 -> members.add(Map.entry(member.getKey(), shorter(member)));
                default -> members.add(member);
            }
        }
        if (random.nextBoolean()) {
            members.add(Map.entry("new\"\\", value));
        }
        if (random.nextInt(4) == 0) {
            Collections.shuffle(members, random);
        }
        ObjectNode after = NODES.objectNode();
        members.forEach(member -> after.set(member.getKey(), member.getValue()));
        return after;
    }

    private static JsonNode longer(Map.Entry<String, JsonNode> member, JsonNode value) {
        ArrayNode list =
                member.getValue() instanceof ArrayNode array ? array.deepCopy() : NODES.arrayNode();
        return list.add(value).add(value);
    }

    private static JsonNode shorter(Map.Entry<String, JsonNode> member) {
        if (member.getValue() instanceof ArrayNode array && !array.isEmpty()) {
            ArrayNode list = array.deepCopy();
            list.remove(array.size() - 1);
            return list;
        }
        return NODES.arrayNode();
    }

    @Property
    void aValueIsItsOwnChange(@ForAll("values") JsonNode value) {
        byte[] json = Json.bytes(value);
        assertThat(text(Snapshot.value(Snapshot.whole(json)))).isEqualTo(text(json));
    }

    @Property
    void membersOfAnObjectAreFound(@ForAll("values") JsonNode one, @ForAll("values") JsonNode two) {
        ObjectNode object = NODES.objectNode();
        object.set("one", one);
        object.set("two", two);
        byte[] json = Json.bytes(object);
        assertThat(Snapshot.member(json, "one").map(Json::tree))
                .contains(Json.tree(Json.bytes(one)));
        assertThat(Snapshot.member(json, "two").map(Json::tree))
                .contains(Json.tree(Json.bytes(two)));
        assertThat(Snapshot.member(json, "three")).isEmpty();
    }

    @Example
    void aStateThatDoesNotChangeCostsNothing() {
        Snapshot state = Snapshot.of(Json.bytes(Map.of("a", List.of(1, 2), "b", "text")));
        assertThat(text(state.to(state))).isEqualTo("{}");
    }

    @Example
    void whatIsAddedToAListCostsWhatIsAdded() {
        String line = "x".repeat(100);
        List<String> lines = new ArrayList<>();
        Snapshot now = Snapshot.of(Json.bytes(Map.of("lines", lines, "title", "t")));
        for (int i = 0; i < 200; i++) {
            lines.add(line + i);
            Snapshot next = Snapshot.of(Json.bytes(Map.of("lines", lines, "title", "t")));
            assertThat(now.to(next)).hasSizeLessThan(150);
            now = next;
        }
    }

    @Provide
    Arbitrary<JsonNode> states() {
        return Arbitraries.frequencyOf(Tuple.of(9, objects(values())), Tuple.of(1, values()));
    }

    private static Arbitrary<JsonNode> objects(Arbitrary<JsonNode> values) {
        return Arbitraries.maps(texts(), values)
                .ofMaxSize(6)
                .map(members -> {
                    ObjectNode object = NODES.objectNode();
                    members.forEach(object::set);
                    return object;
                });
    }

    @Provide
    Arbitrary<JsonNode> values() {
        Arbitrary<JsonNode> leaf =
                Arbitraries.oneOf(
                        texts().map(NODES::textNode),
                        Arbitraries.longs().map(NODES::numberNode),
                        Arbitraries.doubles().map(NODES::numberNode),
                        Arbitraries.of(true, false).map(NODES::booleanNode),
                        Arbitraries.just(NODES.nullNode()));
        return Arbitraries.recursive(() -> leaf, SnapshotProperties::deeper, 0, 3);
    }

    private static Arbitrary<JsonNode> deeper(Arbitrary<JsonNode> inner) {
        Arbitrary<JsonNode> arrays =
                inner.list().ofMaxSize(4).map(elements -> NODES.arrayNode().addAll(elements));
        return Arbitraries.oneOf(inner, arrays, objects(inner));
    }

    private static Arbitrary<String> texts() {
        return Arbitraries.oneOf(
                Arbitraries.of(
                        "",
                        "a",
                        "b",
                        "\"",
                        "\\",
                        "\\\"",
                        "[",
                        "],",
                        "{\"a\":",
                        "}",
                        ",",
                        ":",
                        "\u0000",
                        "\n",
                        "ä",
                        "日本",
                        "\uD83D\uDE00",
                        "append",
                        "set",
                        "drop",
                        "value"),
                Arbitraries.strings().ofMaxLength(8));
    }
}
