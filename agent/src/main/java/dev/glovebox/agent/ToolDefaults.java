package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a schema says of members that are not there. */
final class ToolDefaults {

    private static final int MOST_DEPTH = 64;

    // As much as a model may write itself.
    private static final int MOST_CHARACTERS = 1 << 20;

    private final List<Member> members = new ArrayList<>();
    private @Nullable ToolDefaults items;

    private ToolDefaults() {}

    /**
     * One member.
     *
     * @param isNothing whether null is as good as nothing: it need not be there, and must not be
     *     null
     */
    private record Member(
            String name,
            boolean isNothing,
            @Nullable JsonNode byDefault,
            int characters,
            ToolDefaults inner) {

        static Member of(
                String name, boolean isNothing, @Nullable JsonNode byDefault, ToolDefaults inner) {
            int characters = byDefault == null ? 0 : name.length() + byDefault.toString().length();
            return new Member(name, isNothing, byDefault, characters, inner);
        }
    }

    /**
     * What may still be filled in.
     *
     * <p>A schema may be hostile: an object that is empty by default and has two members of its own
     * type doubles at each level, so that a call without arguments would take all memory; and so
     * would a long default that each of many elements lacks.
     */
    private static final class Room {

        private int left = MOST_CHARACTERS;

        boolean take(int characters) {
            left -= Math.min(left, characters);
            return left > 0;
        }

        boolean isFull() {
            return left == 0;
        }
    }

    static ToolDefaults of(JsonNode schema) {
        return of(schema, schema, new IdentityHashMap<>());
    }

    /** A schema may refer to itself. */
    private static ToolDefaults of(
            JsonNode root, JsonNode schema, Map<JsonNode, ToolDefaults> known) {
        JsonNode here = resolved(root, schema, MOST_DEPTH);
        ToolDefaults before = known.get(here);
        if (before != null) {
            return before;
        }
        ToolDefaults defaults = new ToolDefaults();
        known.put(here, defaults);
        Set<String> required =
                here.path("required")
                        .valueStream()
                        .map(JsonNode::asText)
                        .collect(Collectors.toUnmodifiableSet());
        for (Map.Entry<String, JsonNode> member : here.path("properties").properties()) {
            JsonNode property = resolved(root, member.getValue(), MOST_DEPTH);
            boolean isNothing = !required.contains(member.getKey()) && !allowsNull(property);
            boolean isPlain =
                    !isNothing
                            && !property.has("default")
                            && !property.has("properties")
                            && !property.has("items");
            if (!isPlain) {
                defaults.members.add(
                        Member.of(
                                member.getKey(),
                                isNothing,
                                property.get("default"),
                                of(root, property, known)));
            }
        }
        if (here.path("items").isObject()) {
            defaults.items = of(root, here.path("items"), known);
        }
        return defaults;
    }

    /**
     * Fills in defaults. Members that need not be there, and are null though they must not be, are
     * taken away first: some models write each member that there is.
     *
     * @return what is wrong with a schema that has too many of them; not all are filled in then
     */
    Optional<JsonProblem> fill(ObjectNode arguments) {
        Room room = new Room();
        fill(arguments, MOST_DEPTH, room);
        return room.isFull()
                ? Optional.of(
                        new JsonProblem(
                                "",
                                "a schema that can be checked",
                                "this one: its defaults are without end, or too long"))
                : Optional.empty();
    }

    private void fill(JsonNode value, int depth, Room room) {
        if (depth == 0) {
            return;
        }
        if (value instanceof ObjectNode object) {
            for (Member member : members) {
                fill(object, member, depth, room);
            }
        } else if (value.isArray() && items != null) {
            for (JsonNode item : value) {
                items.fill(item, depth - 1, room);
            }
        }
    }

    private static void fill(ObjectNode object, Member member, int depth, Room room) {
        JsonNode value = object.get(member.name());
        if (value != null && value.isNull() && member.isNothing()) {
            object.remove(member.name());
            value = null;
        }
        if (value == null && member.byDefault() != null && room.take(member.characters())) {
            value = member.byDefault().deepCopy();
            object.set(member.name(), value);
        }
        if (value != null && value.isContainerNode()) {
            member.inner().fill(value, depth - 1, room);
        }
    }

    private static boolean allowsNull(JsonNode schema) {
        JsonNode type = schema.path("type");
        return type.isMissingNode()
                || type.asText().equals("null")
                || type.valueStream().anyMatch(one -> one.asText().equals("null"));
    }

    private static JsonNode resolved(JsonNode root, JsonNode schema, int most) {
        String reference = schema.path("$ref").asText();
        if (!reference.startsWith("#/") || most == 0) {
            return schema;
        }
        return resolved(root, root.at(reference.substring(1)), most - 1);
    }
}
