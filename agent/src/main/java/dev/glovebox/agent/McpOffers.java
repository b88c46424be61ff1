package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.glovebox.run.Failure;
import io.modelcontextprotocol.spec.McpSchema;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Makes of the tools that a server lists what models are told of them.
 *
 * <p>The server may be hostile: nothing in names and descriptions is hidden from people, nothing is
 * longer than anybody reads, and no schema refers to what is elsewhere.
 */
final class McpOffers {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MOST_DESCRIPTION = 4096;
    private static final int MOST_SCHEMA = 64 << 10;
    // As much as fits into one message: on many pages there may not be more.
    private static final int MOST_IN_ALL = 4 << 20;
    private static final String DIALECTS = "https?://json-schema\\.org/.*";
    private static final Set<String> FOR_READERS = Set.of("description", "title", "$comment");
    private static final Set<String> BY_NAME =
            Set.of("properties", "patternProperties", "$defs", "definitions");
    private static final Set<String> SEVERAL = Set.of("anyOf", "oneOf", "allOf", "prefixItems");
    // Of several, in older schemas.
    private static final String ITEMS = "items";
    private static final Set<String> ONE =
            Set.of(ITEMS, "additionalProperties", "not", "if", "then", "else", "contains");
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    private final String server;
    private final String prefix;
    private final Set<String> listed = new HashSet<>();
    private final Set<String> names = new HashSet<>();
    private int inAll;

    McpOffers(String server, String prefix) {
        this.server = server;
        this.prefix = prefix;
    }

    /**
     * Takes the next tool of the list.
     *
     * @throws Failure if it is none
     */
    ToolOffer offer(McpSchema.Tool tool) {
        if (tool.name().isBlank() || !listed.add(tool.name())) {
            throw malformed(tool, "has the name of another one, or none");
        }
        String given = tool.description() == null ? "" : tool.description();
        String description = Excerpt.seen(given, MOST_DESCRIPTION);
        count(tool.name().length() + description.length());
        return new ToolOffer(name(tool.name()), description, schema(tool));
    }

    private void count(int characters) {
        inAll += characters;
        if (inAll > MOST_IN_ALL) {
            throw Failure.lasting(
                    McpProblem.TOO_MUCH,
                    "%s: names, descriptions and schemas of its tools have more than %d characters"
                            .formatted(server, MOST_IN_ALL));
        }
    }

    private String name(String given) {
        String fit = ToolName.fit(prefix + given);
        String name = fit;
        for (int i = 2; !names.add(name); i++) {
            String number = "_" + i;
            int most = ToolName.LONGEST - number.length();
            name = fit.substring(0, Math.min(fit.length(), most)) + number;
        }
        return name;
    }

    private JsonNode schema(McpSchema.Tool tool) {
        ObjectNode schema = JSON.valueToTree(tool.inputSchema());
        if (!schema.path("type").asText("object").equals("object")) {
            throw malformed(tool, "has a schema that is not one of an object");
        }
        schema.put("type", "object");
        if (!schema.path("$schema").asText("").matches(DIALECTS)) {
            schema.remove("$schema");
        }
        if (!isSchema(schema)) {
            throw malformed(tool, "has a schema that is none in one of its parts");
        }
        clean(tool, schema);
        int length = schema.toString().length();
        if (length > MOST_SCHEMA) {
            throw Failure.lasting(
                    McpProblem.TOO_MUCH,
                    "%s: the schema of the tool %s has more than %d characters"
                            .formatted(server, shown(tool), MOST_SCHEMA));
        }
        count(length);
        return schema;
    }

    /**
     * Clients and vendors refuse a prompt if any part of a schema in it is none. Its patterns are
     * not looked at before a call is checked: with long ones that takes its time.
     */
    private static boolean isSchema(JsonNode part) {
        return part.isBoolean()
                || (part.isObject()
                        && part.properties().stream()
                                .allMatch(word -> isFit(word.getKey(), word.getValue())));
    }

    private static boolean isFit(String word, JsonNode value) {
        if (BY_NAME.contains(word)) {
            return value.isObject() && value.valueStream().allMatch(McpOffers::isSchema);
        }
        if (SEVERAL.contains(word) || (value.isArray() && word.equals(ITEMS))) {
            return value.isArray() && value.valueStream().allMatch(McpOffers::isSchema);
        }
        return !ONE.contains(word) || isSchema(value);
    }

    private void clean(McpSchema.Tool tool, JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> member : object.properties()) {
                if (member.getValue() instanceof TextNode text) {
                    member.setValue(clean(tool, member.getKey(), text));
                }
            }
        }
        node.forEach(inner -> clean(tool, inner));
    }

    private TextNode clean(McpSchema.Tool tool, String member, TextNode text) {
        // Whoever validates arguments would fetch it.
        if (REFERENCES.contains(member) && !text.textValue().startsWith("#")) {
            throw malformed(tool, "has a schema that refers to another document");
        }
        return FOR_READERS.contains(member)
                ? TextNode.valueOf(Excerpt.seen(text.textValue(), MOST_DESCRIPTION))
                : text;
    }

    private Failure malformed(McpSchema.Tool tool, String what) {
        return Failure.lasting(
                McpProblem.MALFORMED, "%s: the tool %s %s".formatted(server, shown(tool), what));
    }

    private static String shown(McpSchema.Tool tool) {
        return Excerpt.seen(tool.name(), ToolName.LONGEST);
    }
}
