package dev.glovebox.run;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Draws a graph in the language of Mermaid, graphs within graphs as boxes.
 *
 * <p>Names are labels only, in quotes: as identifiers some of them, such as "end", would mean
 * something else.
 */
final class Mermaid {

    private final StringBuilder out = new StringBuilder("flowchart TD\n");
    private int count;

    private Mermaid() {}

    static String draw(Graph<?> graph) {
        Mermaid drawing = new Mermaid();
        drawing.graph(graph, 1);
        return drawing.out.toString();
    }

    private String id() {
        return "n" + count++;
    }

    private void graph(Graph<?> graph, int depth) {
        String start = id();
        Map<String, String> ids = new HashMap<>(Map.of(Graph.END, id()));
        graph.places().forEach((name, place) -> ids.put(name, place(name, place, depth)));
        line(depth, start + "((\"start\")) --> " + ids.get(graph.start()));
        for (String name : graph.places().keySet()) {
            Set<String> targets = graph.targets(name);
            String arrow = targets.size() > 1 ? " -.-> " : " --> ";
            targets.forEach(target -> line(depth, ids.get(name) + arrow + ids.get(target)));
        }
        line(depth, ids.get(Graph.END) + "((\"end\"))");
    }

    private String place(String name, Place<?> place, int depth) {
        return switch (place) {
            case Place.Single<?> single -> node(name, single.node(), depth);
            case Place.FanOut<?, ?> fan ->
                    box(
                            name + ": at once",
                            depth,
                            () ->
                                    fan.branches()
                                            .forEach(branch ->
                                                    node(branch.name(), branch.node(), depth + 1)));
            case Place.Each<?, ?, ?> each ->
                    box(name + ": for each", depth, () -> node(name, each.node(), depth + 1));
        };
    }

    private String node(String name, Node<?, ?> node, int depth) {
        if (node instanceof Place.Nested<?, ?, ?> nested) {
            return box(
                    name + ": " + nested.graph().name(),
                    depth,
                    () -> graph(nested.graph(), depth + 1));
        }
        String id = id();
        line(depth, id + "[\"" + name + "\"]");
        return id;
    }

    private String box(String label, int depth, Runnable inside) {
        String id = id();
        line(depth, "subgraph " + id + "[\"" + label + "\"]");
        inside.run();
        line(depth, "end");
        return id;
    }

    private void line(int depth, String text) {
        out.repeat("  ", depth).append(text).append('\n');
    }
}
