package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Optional;
import java.util.TreeMap;

/** What the engine writes into the details of effects beside what the effect itself does. */
final class Details {

    static final String AGENT = "agent";
    static final String LISTS = "lists";
    static final String COST = "cost";
    static final String AT_MOST = "atMost";
    static final String ATTEMPTS = "attempts";
    static final String PROBLEM = "problem";
    static final String CODE = "code";
    static final String MESSAGE = "message";
    static final String STOP = "stop";

    private static final long LARGEST_INTEGER = 1L << 53;
    private static final int LONGEST_MESSAGE = 2_000;
    // A record has a limit, and a run that reaches it could not go on: whoever is asked, a model or
    // a server, may say far more than that.
    private static final int LONGEST_TEXT = 64_000;
    private static final int MOST_ELEMENTS = 1_000;

    private Details() {}

    /** With its members in the order in which they are written, whoever puts them there when. */
    static ObjectNode empty() {
        return new ObjectNode(JsonNodeFactory.instance, new TreeMap<>());
    }

    /**
     * A copy that a record can hold: numbers that are not small integers become texts, long texts
     * and lists are cut.
     */
    static JsonNode plain(JsonNode node) {
        return switch (node.getNodeType()) {
            case OBJECT -> {
                ObjectNode copy = empty();
                node.properties()
                        .forEach(member ->
                                copy.set(Json.scrubbed(member.getKey()), plain(member.getValue())));
                yield copy;
            }
            case ARRAY -> {
                ArrayNode copy = JsonNodeFactory.instance.arrayNode();
                for (int i = 0; i < Math.min(node.size(), MOST_ELEMENTS); i++) {
                    copy.add(plain(node.get(i)));
                }
                yield copy;
            }
            case NUMBER ->
                    node.isIntegralNumber()
                                    && node.canConvertToLong()
                                    && Math.abs(node.longValue()) < LARGEST_INTEGER
                            ? node
                            : TextNode.valueOf(node.asText());
            case STRING -> {
                String text = clean(node.textValue(), LONGEST_TEXT);
                yield text.equals(node.textValue()) ? node : TextNode.valueOf(text);
            }
            case BINARY, POJO -> plain(Json.tree(node));
            case BOOLEAN, NULL, MISSING -> node;
        };
    }

    static ObjectNode copy(JsonNode details) {
        return !details.isEmpty() && plain(details) instanceof ObjectNode object ? object : empty();
    }

    /** What an effect has cost. */
    static Cost cost(JsonNode outcome) {
        return cost(outcome, COST).orElse(Cost.NONE);
    }

    /** What an effect can have cost if nobody knows what became of it. */
    static Optional<Cost> atMost(JsonNode intent) {
        return cost(intent, AT_MOST);
    }

    private static Optional<Cost> cost(JsonNode details, String name) {
        return details.has(name)
                ? Optional.of(Json.value(Json.bytes(details.get(name)), Cost.class))
                : Optional.empty();
    }

    static void putCost(ObjectNode details, Cost cost) {
        putCost(details, COST, cost);
    }

    static ObjectNode ofAtMost(Cost cost) {
        ObjectNode details = empty();
        putCost(details, AT_MOST, cost);
        return details;
    }

    private static void putCost(ObjectNode details, String name, Cost cost) {
        if (!cost.equals(Cost.NONE)) {
            ObjectNode parts = empty();
            put(parts, "tokens", cost.tokens());
            put(parts, "microDollars", cost.microDollars());
            put(parts, "modelCalls", cost.modelCalls());
            put(parts, "toolCalls", cost.toolCalls());
            put(parts, "sandboxMillis", cost.sandboxMillis());
            details.set(name, plain(parts));
        }
    }

    private static void put(ObjectNode parts, String name, long amount) {
        if (amount != 0) {
            parts.put(name, amount);
        }
    }

    static void putProblem(ObjectNode details, String code, String message) {
        details.putObject(PROBLEM).put(CODE, clean(code)).put(MESSAGE, clean(message));
    }

    /** A text that a record can hold. */
    static String clean(String text) {
        return clean(text, LONGEST_MESSAGE);
    }

    private static String clean(String text, int most) {
        return Json.scrubbed(text.length() > most ? text.substring(0, most) + "…" : text);
    }

    static void putStop(ObjectNode details, StopReason reason) {
        details.set(STOP, plain(Json.tree(reason)));
    }

    static Optional<StopReason> stop(JsonNode details) {
        return details.has(STOP)
                ? Optional.of(Json.value(Json.bytes(details.get(STOP)), StopReason.class))
                : Optional.empty();
    }
}
