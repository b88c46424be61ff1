package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a schema says of members that are not there. */
final class SchemaDefaults {

    private static final int MOST_DEPTH = 64;

    // As much as a model may write itself.
    private static final int MOST_CHARACTERS = 1 << 20;

    /** What may lead to a default further in. */
    private static final Set<String> LEADS =
            Set.of("default", "properties", "items", "additionalProperties", "oneOf");

    private final List<Member> members = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private @Nullable SchemaDefaults others;
    private @Nullable SchemaDefaults items;

    /** By the word that tells them apart; used instead of what is beside them. */
    private final Map<String, SchemaDefaults> alternatives = new HashMap<>();

    private SchemaDefaults() {}

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
            SchemaDefaults inner) {

        static Member of(
                String name,
                boolean isNothing,
                @Nullable JsonNode byDefault,
                SchemaDefaults inner) {
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

    static SchemaDefaults of(JsonNode schema) {
        return new Reader(schema).of(schema);
    }

    /** Reads a schema, and everything in it once: it may refer to itself, and many times. */
    private static final class Reader {

        private final JsonNode root;
        private final IdentityHashMap<JsonNode, SchemaDefaults> known = new IdentityHashMap<>();
        private final IdentityHashMap<JsonNode, Boolean> nullable = new IdentityHashMap<>();

        Reader(JsonNode root) {
            this.root = root;
        }

        SchemaDefaults of(JsonNode schema) {
            JsonNode here = resolved(schema, MOST_DEPTH);
            SchemaDefaults before = known.get(here);
            if (before != null) {
                return before;
            }
            SchemaDefaults defaults = new SchemaDefaults();
            known.put(here, defaults);
            Set<String> required =
                    here.path("required")
                            .valueStream()
                            .map(JsonNode::asText)
                            .collect(Collectors.toUnmodifiableSet());
            for (Map.Entry<String, JsonNode> member : here.path("properties").properties()) {
                JsonNode property = resolved(member.getValue(), MOST_DEPTH);
                boolean allowsNull = nullable.computeIfAbsent(property, this::allowsNull);
                boolean isNothing = !required.contains(member.getKey()) && !allowsNull;
                JsonNode byDefault = byDefault(member.getValue(), property, allowsNull);
                defaults.names.add(member.getKey());
                if (isNothing || byDefault != null || LEADS.stream().anyMatch(property::has)) {
                    defaults.members.add(
                            Member.of(member.getKey(), isNothing, byDefault, of(property)));
                }
            }
            if (here.path("items").isObject()) {
                defaults.items = of(here.path("items"));
            }
            if (here.path("additionalProperties").isObject() && !here.has("patternProperties")) {
                defaults.others = of(here.path("additionalProperties"));
            }
            // Only one of the two leads on, or a schema within itself would be walked in endless
            // ways.
            if (defaults.names.isEmpty()) {
                choose(defaults, here.path("oneOf"));
            }
            return defaults;
        }

        /**
         * What a member is if it is not there. Servers in Python say null of what need not be
         * there, also where it must not be null.
         *
         * @param said what is said of it; it may refer to more
         */
        private static @Nullable JsonNode byDefault(
                JsonNode said, JsonNode property, boolean allowsNull) {
            JsonNode here = said.get("default");
            JsonNode found = here == null ? property.get("default") : here;
            return found != null && found.isNull() && !allowsNull ? null : found;
        }

        private void choose(SchemaDefaults among, JsonNode choices) {
            for (JsonNode one : choices) {
                JsonNode choice = resolved(one, MOST_DEPTH);
                JsonNode word = choice.path("properties").path(ToolJson.TYPE).path("const");
                if (word.isTextual()) {
                    SchemaDefaults defaults = of(choice);
                    // With the same word for two of them nobody knows which one is meant.
                    among.alternatives.merge(
                            word.textValue(), defaults, (_, _) -> new SchemaDefaults());
                }
            }
        }

        private boolean allowsNull(JsonNode schema) {
            JsonNode choices = schema.path(schema.has("anyOf") ? "anyOf" : "oneOf");
            if (schema.has("type") || choices.isEmpty()) {
                return isNullable(schema);
            }
            return choices.valueStream().anyMatch(one -> isNullable(resolved(one, MOST_DEPTH)));
        }

        private static boolean isNullable(JsonNode schema) {
            JsonNode type = schema.path("type");
            if (type.isMissingNode()) {
                JsonNode words = schema.path("enum");
                return schema.has("const")
                        ? schema.path("const").isNull()
                        : words.isEmpty() || words.valueStream().anyMatch(JsonNode::isNull);
            }
            return type.asText().equals("null")
                    || type.valueStream().anyMatch(one -> one.asText().equals("null"));
        }

        private JsonNode resolved(JsonNode schema, int most) {
            String reference = schema.path("$ref").asText();
            if (!reference.startsWith("#/") || most == 0) {
                return schema;
            }
            return resolved(root.at(reference.substring(1)), most - 1);
        }
    }

    /**
     * Fills in defaults. Members that need not be there, and are null though they must not be, are
     * taken away first: some models write each member that there is.
     *
     * @return what is wrong with a schema that has too many of them; not all are filled in then
     */
    Optional<JsonProblem> fill(JsonNode whole) {
        Room room = new Room();
        fill(whole, MOST_DEPTH, room);
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
            String word = object.path(ToolJson.TYPE).textValue();
            alternatives.getOrDefault(word, this).fillMembers(object, depth, room);
        } else if (value.isArray() && items != null) {
            for (JsonNode item : value) {
                items.fill(item, depth - 1, room);
            }
        }
    }

    private void fillMembers(ObjectNode object, int depth, Room room) {
        for (Member member : members) {
            fill(object, member, depth, room);
        }
        if (others != null) {
            for (Map.Entry<String, JsonNode> entry : object.properties()) {
                if (!names.contains(entry.getKey())) {
                    others.fill(entry.getValue(), depth - 1, room);
                }
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
}
