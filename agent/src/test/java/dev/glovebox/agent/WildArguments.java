package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a model writes as the arguments of an order: right ones, and what chance makes of them. */
final class WildArguments {

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> NAMES =
            List.of(
                    "item",
                    "count",
                    "size",
                    "tags",
                    "note",
                    "Item",
                    "count ",
                    "",
                    "more",
                    "__proto__",
                    "item\u0000",
                    "i\u0307tem");
    private static final List<String> TEXTS =
            List.of(
                    "ink",
                    "",
                    "SMALL",
                    "small",
                    "7",
                    "null",
                    "true",
                    "\u0000\uFFFF",
                    "\uD800",
                    "é");
    private static final String MARKS = "{}[]\",:\\\u0000\u00A0eE+-.09 xnt";

    private final Random random;

    WildArguments(Random random) {
        this.random = random;
    }

    /** Some more of them. */
    String next() {
        ObjectNode order = order();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            change(order);
        }
        String text = order.toString();
        return random.nextInt(4) == 0 ? scratched(text) : text;
    }

    private ObjectNode order() {
        ObjectNode order = NODES.objectNode().put("item", "ink");
        order.put("count", random.nextInt(1, 1_001));
        order.put("size", random.nextBoolean() ? "SMALL" : "LARGE");
        ArrayNode tags = order.putArray("tags");
        for (int i = random.nextInt(3); i > 0; i--) {
            tags.add(text());
        }
        return random.nextBoolean() ? order.put("note", "soon") : order;
    }

    private void change(ObjectNode order) {
        String name = random.nextInt(3) > 0 ? member(order) : NAMES.get(random.nextInt(12));
        switch (random.nextInt(6)) {
            case 0 -> order.remove(name);
            case 1 -> order.set(name, value(0));
            case 2 -> order.set(name, number());
            case 3 -> order.put(name, order.path(name).asText());
            case 4 -> order.set(name, NODES.arrayNode().add(order.path(name).deepCopy()));
            default -> order.withArray("/tags", JsonNode.OverwriteMode.ALL, true).add(value(0));
        }
    }

    private String member(ObjectNode order) {
        List<String> names = new ArrayList<>();
        order.fieldNames().forEachRemaining(names::add);
        return names.isEmpty() ? "item" : names.get(random.nextInt(names.size()));
    }

    private String text() {
        return TEXTS.get(random.nextInt(TEXTS.size()));
    }

    private JsonNode value(int depth) {
        return switch (random.nextInt(depth < 3 ? 6 : 4)) {
            case 0 -> NODES.textNode(text());
            case 1 -> number();
            case 2 -> NODES.booleanNode(random.nextBoolean());
            case 3 -> NODES.nullNode();
            case 4 -> NODES.arrayNode().add(value(depth + 1)).add(value(depth + 1));
            default -> NODES.objectNode().set(NAMES.get(random.nextInt(12)), value(depth + 1));
        };
    }

    /** One of those at which numbers go wrong. */
    private JsonNode number() {
        return switch (random.nextInt(8)) {
            case 0 -> NODES.numberNode(random.nextInt());
            case 1 -> NODES.numberNode(random.nextLong());
            case 2 -> NODES.numberNode(Integer.MAX_VALUE + random.nextLong(-1, 3));
            case 3 -> NODES.numberNode(BigInteger.TEN.pow(random.nextInt(1, 120)).negate());
            case 4 -> NODES.numberNode(random.nextInt(-2, 3) / 2.0);
            case 5 -> NODES.numberNode(random.nextDouble() * 1e300);
            case 6 -> NODES.numberNode(random.nextInt(999, 1_003));
            default -> NODES.numberNode((double) random.nextInt(999, 1_003));
        };
    }

    /** No JSON any more, or not the same. */
    private String scratched(String text) {
        int at = random.nextInt(text.length());
        String head = text.substring(0, at);
        return switch (random.nextInt(9)) {
            case 0 -> head;
            case 1 -> head + MARKS.charAt(random.nextInt(MARKS.length())) + text.substring(at);
            case 2 -> head + text.substring(at + 1);
            case 3 -> text + text.substring(at);
            case 4 -> "{\"count\":7," + text.substring(1);
            case 5 -> value(0).toString();
            case 6 -> "{\"item\":" + "[".repeat(random.nextInt(5_000));
            case 7 -> text.replaceFirst("[0-9]+", "1e999");
            default -> "";
        };
    }
}
