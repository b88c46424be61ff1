package dev.glovebox.run;

import java.util.Set;

/** Draws a graph in the language of Mermaid, graphs within graphs as boxes. */
final class Mermaid {

    private final StringBuilder out = new StringBuilder("flowchart TD\n");

    private Mermaid() {}

    static String draw(Graph<?> graph) {
        Mermaid drawing = new Mermaid();
        drawing.graph(graph, "", 1);
        return drawing.out.toString();
    }

    private void graph(Graph<?> graph, String prefix, int depth) {
        line(depth, prefix + "START((start)) --> " + prefix + graph.start());
        graph.places().forEach((name, place) -> place(prefix + name, name, place, depth));
        for (String name : graph.places().keySet()) {
            Set<String> targets = graph.targets(name);
            String arrow = targets.size() > 1 ? " -.-> " : " --> ";
            for (String target : targets) {
                String end = target.equals(Graph.END) ? "END((end))" : target;
                line(depth, prefix + name + arrow + prefix + end);
            }
        }
    }

    private void place(String id, String name, Place<?> place, int depth) {
        switch (place) {
            case Place.Single<?> single -> node(id, name, single.node(), depth);
            case Place.FanOut<?, ?> fan -> {
                line(depth, "subgraph " + id + "[" + name + ": at once]");
                fan.branches()
                        .forEach(branch ->
                                node(
                                        id + "." + branch.name(),
                                        branch.name(),
                                        branch.node(),
                                        depth + 1));
                line(depth, "end");
            }
            case Place.Each<?, ?, ?> each -> {
                line(depth, "subgraph " + id + "[" + name + ": for each]");
                node(id + ".each", name, each.node(), depth + 1);
                line(depth, "end");
            }
        }
    }

    private void node(String id, String name, Node<?, ?> node, int depth) {
        if (node instanceof Place.Nested<?, ?, ?> nested) {
            line(depth, "subgraph " + id + "[" + name + ": " + nested.graph().name() + "]");
            graph(nested.graph(), id + ".", depth + 1);
            line(depth, "end");
        } else {
            line(depth, id + "[" + name + "]");
        }
    }

    private void line(int depth, String text) {
        out.repeat("  ", depth).append(text).append('\n');
    }
}
