package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a schema says of members that are not there. */
final class ToolDefaults {

    private static final int MOST_DEPTH = 64;

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
            String name, boolean isNothing, @Nullable JsonNode byDefault, ToolDefaults inner) {}

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
                        new Member(
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
     */
    void fill(ObjectNode arguments) {
        fill(arguments, MOST_DEPTH);
    }

    private void fill(JsonNode value, int depth) {
        if (depth == 0) {
            return;
        }
        if (value instanceof ObjectNode object) {
            for (Member member : members) {
                fill(object, member, depth);
            }
        } else if (value.isArray() && items != null) {
            for (JsonNode item : value) {
                items.fill(item, depth - 1);
            }
        }
    }

    private static void fill(ObjectNode object, Member member, int depth) {
        JsonNode value = object.get(member.name());
        if (value != null && value.isNull() && member.isNothing()) {
            object.remove(member.name());
            value = null;
        }
        if (value == null && member.byDefault() != null) {
            value = member.byDefault().deepCopy();
            object.set(member.name(), value);
        }
        if (value != null && value.isContainerNode()) {
            member.inner().fill(value, depth - 1);
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
