package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** The shape of a graph as JSON: what stands where, and what leads to what. */
final class Outline {

    private Outline() {}

    static <S> ObjectNode of(
            String graph, String start, Map<String, Place<S>> places, Map<String, Edge<S>> edges) {
        ObjectNode outline = JsonNodeFactory.instance.objectNode();
        outline.put("name", graph).put("start", start);
        ObjectNode nodes = outline.putObject("nodes");
        places.forEach((name, place) -> {
            ObjectNode node = nodes.putObject(name);
            ArrayNode next = node.putArray("next");
            Edge<S> edge = edges.get(name);
            if (edge != null) {
                edge.targets().forEach(next::add);
            }
            describe(place, node);
        });
        return outline;
    }

    private static void describe(Place<?> place, ObjectNode node) {
        switch (place) {
            case Place.Single<?> single -> describe(single.node(), node);
            case Place.FanOut<?, ?> fan -> {
                ObjectNode branches = node.putObject("branches");
                fan.branches()
                        .forEach(branch ->
                                describe(branch.node(), branches.putObject(branch.name())));
            }
            case Place.Each<?, ?, ?> each -> describe(each.node(), node.putObject("each"));
        }
    }

    private static void describe(Node<?, ?> node, ObjectNode where) {
        if (node instanceof Place.Nested<?, ?, ?> nested) {
            where.set("graph", nested.graph().outline());
        }
    }

    /** What is different, if anything. */
    static Optional<Divergence> difference(JsonNode recorded, JsonNode now) {
        return difference("", recorded, now);
    }

    private static Optional<Divergence> difference(String at, JsonNode recorded, JsonNode now) {
        if (recorded.equals(now)) {
            return Optional.empty();
        }
        if (recorded.isObject() && now.isObject()) {
            TreeSet<String> names = new TreeSet<>();
            recorded.fieldNames().forEachRemaining(names::add);
            now.fieldNames().forEachRemaining(names::add);
            return names.stream()
                    .flatMap(name ->
                            difference(
                                    at.isEmpty() ? name : at + "/" + name,
                                    recorded.path(name),
                                    now.path(name))
                                    .stream())
                    .findFirst();
        }
        return Optional.of(new Divergence("the graph", at, legible(recorded), legible(now)));
    }

    private static String legible(JsonNode part) {
        return part.isMissingNode() ? "not there" : part.toString();
    }
}
