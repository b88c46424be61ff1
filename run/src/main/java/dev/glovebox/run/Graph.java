package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that work on one state, and where the run goes from each.
 *
 * <p>The state is a record that can be written as JSON and read again; nodes get it as it was read.
 * A graph holds nothing of a run: any number of runs may use it at once.
 */
public final class Graph<S> {

    /** Where a run ends. */
    public static final String END = "END";

    /** No node is visited more often in one run of a graph, unless the graph says otherwise. */
    public static final int MOST_VISITS = 10_000;

    private final String name;
    private final Class<S> state;
    private final String start;
    private final SequencedMap<String, Place<S>> places;
    private final Map<String, Edge<S>> edges;
    private final int mostVisits;
    private final boolean isPrivate;
    private final JsonNode outline;

    private Graph(Builder<S> builder, String start) {
        this.name = builder.name;
        this.state = builder.state;
        this.start = start;
        this.places = new LinkedHashMap<>(builder.places);
        this.edges = Map.copyOf(builder.edges);
        this.mostVisits = builder.mostVisits;
        this.isPrivate = builder.isPrivate || places.values().stream().anyMatch(Graph::isPrivate);
        this.outline = Outline.of(name, start, places, edges);
    }

    /**
     * Begins a graph.
     *
     * @param name by which its runs are found
     */
    public static <S> Builder<S> of(String name, Class<S> state) {
        return new Builder<>(name, state);
    }

    public String name() {
        return name;
    }

    /** This graph as a node of another one, or as a branch. */
    public <I, O> Node<I, O> within(Function<? super I, S> into, BiFunction<? super I, S, O> back) {
        return new Place.Nested<>(this, into, back);
    }

    /** This graph as a node for the elements of a list that are its states. */
    public Node<S, S> whole() {
        return within(Function.identity(), (before, after) -> after);
    }

    /** A drawing, in the language of Mermaid. */
    public String mermaid() {
        return Mermaid.draw(this);
    }

    Class<S> state() {
        return state;
    }

    String start() {
        return start;
    }

    SequencedMap<String, Place<S>> places() {
        return places;
    }

    Place<S> place(String node) {
        return Objects.requireNonNull(places.get(node));
    }

    Set<String> targets(String node) {
        return edge(node).targets();
    }

    /** Where the run goes from a node. */
    String next(String node, S state) {
        return edge(node).choose(node, state);
    }

    Edge<S> edge(String node) {
        return Objects.requireNonNull(edges.get(node));
    }

    int mostVisits() {
        return mostVisits;
    }

    /** Whether all content of its runs is private, whatever their options say. */
    boolean isPrivate() {
        return isPrivate;
    }

    private static boolean isPrivate(Place<?> place) {
        return switch (place) {
            case Place.Single<?> single -> isPrivate(single.node());
            case Place.FanOut<?, ?> fan ->
                    fan.branches().stream().anyMatch(branch -> isPrivate(branch.node()));
            case Place.Each<?, ?, ?> each -> isPrivate(each.node());
        };
    }

    private static boolean isPrivate(Node<?, ?> node) {
        return node instanceof Place.Nested<?, ?, ?> nested && nested.graph().isPrivate();
    }

    /** What must be the same for a run to be resumed. */
    JsonNode outline() {
        return outline;
    }

    /** Puts a graph together. */
    public static final class Builder<S> {

        private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_-]{0,63}");

        private final String name;
        private final Class<S> state;
        private final SequencedMap<String, Place<S>> places = new LinkedHashMap<>();
        private final Map<String, Edge<S>> edges = new LinkedHashMap<>();
        private @Nullable String start;
        private int mostVisits = MOST_VISITS;
        private boolean isPrivate;

        private Builder(String name, Class<S> state) {
            this.name = checked(name);
            this.state = state;
        }

        private static String checked(String name) {
            if (!NAME.matcher(name).matches() || name.equals(END)) {
                throw new BadGraph("Not a name of a graph, node or branch: '" + name + "'");
            }
            return name;
        }

        /** Adds a node. The first one is where the run starts, unless another one is named. */
        public Builder<S> node(String name, Node<S, S> node) {
            return place(name, new Place.Single<>(node));
        }

        /**
         * Adds several nodes that are run at once.
         *
         * @param result what each of them gives
         */
        public <R> Builder<S> fanOut(
                String name, Class<R> result, Consumer<Branches<S, R>> branches, Join<S, R> join) {
            Branches<S, R> named = new Branches<>();
            branches.accept(named);
            if (named.all.isEmpty()) {
                throw new BadGraph("The fan-out '" + name + "' has no branches");
            }
            return place(name, new Place.FanOut<>(result, List.copyOf(named.all), join));
        }

        /** Adds a node that is run for each element of a list, all at once. */
        public <T, R> Builder<S> map(
                String name,
                Class<R> result,
                Function<S, List<T>> items,
                Node<T, R> node,
                Join<S, R> join) {
            return map(name, result, items, node, Integer.MAX_VALUE, join);
        }

        /** Adds a node that is run for each element of a list, so many at once. */
        public <T, R> Builder<S> map(
                String name,
                Class<R> result,
                Function<S, List<T>> items,
                Node<T, R> node,
                int atOnce,
                Join<S, R> join) {
            if (atOnce < 1) {
                throw new BadGraph("'" + name + "' would do " + atOnce + " at once");
            }
            return place(name, new Place.Each<>(result, items, node, atOnce, join));
        }

        private Builder<S> place(String name, Place<S> place) {
            if (places.putIfAbsent(checked(name), place) != null) {
                throw new BadGraph("There are two nodes '" + name + "'");
            }
            return this;
        }

        public Builder<S> startAt(String node) {
            start = node;
            return this;
        }

        /** From one node always to another. */
        public Builder<S> edge(String from, String to) {
            return choose(from, state -> to, to);
        }

        /** From one node to one of several, by the state. */
        public Builder<S> choose(
                String from, Function<? super S, String> choice, String... targets) {
            Edge<S> edge = new Edge<>(choice, new LinkedHashSet<>(List.of(targets)));
            if (edges.putIfAbsent(from, edge) != null) {
                throw new BadGraph("There are two ways from '" + from + "': choose one of them");
            }
            return this;
        }

        /** No node is visited more often: then the run stops, as one that goes in circles. */
        public Builder<S> mostVisits(int visits) {
            if (visits < 1) {
                throw new BadGraph(
                        "The nodes of " + name + " would be visited " + visits + " times");
            }
            mostVisits = visits;
            return this;
        }

        /**
         * Keeps all content of its runs as private, however they are started; also of those of a
         * graph that it is a part of.
         */
        public Builder<S> inPrivate() {
            isPrivate = true;
            return this;
        }

        /**
         * Checks it.
         *
         * @throws BadGraph if a target is missing, a node cannot be reached or has no way to the
         *     end
         */
        public Graph<S> build() {
            if (places.isEmpty()) {
                throw new BadGraph("The graph " + name + " has no nodes");
            }
            String first = start == null ? places.firstEntry().getKey() : start;
            edges.forEach((from, edge) -> {
                known(from, "An edge begins");
                edge.targets().stream()
                        .filter(target -> !target.equals(END))
                        .forEach(target -> known(target, "The edge from '" + from + "' ends"));
            });
            known(first, "The run starts");
            for (String node : places.keySet()) {
                if (!edges.containsKey(node)) {
                    throw new BadGraph("There is no way from '" + node + "'");
                }
                if (!reachable(first).contains(node)) {
                    throw new BadGraph("Nothing leads to '" + node + "'");
                }
                if (!reachable(node).contains(END)) {
                    throw new BadGraph("From '" + node + "' there is no way to the end");
                }
            }
            return new Graph<>(this, first);
        }

        private void known(String node, String what) {
            if (!places.containsKey(node)) {
                throw new BadGraph(what + " at '" + node + "', which is not a node");
            }
        }

        private Set<String> reachable(String from) {
            Set<String> reached = new LinkedHashSet<>(List.of(from));
            List<String> open = new ArrayList<>(reached);
            while (!open.isEmpty()) {
                Edge<S> edge = edges.get(open.removeLast());
                if (edge != null) {
                    edge.targets().stream().filter(reached::add).forEach(open::add);
                }
            }
            return reached;
        }
    }

    /** The branches of a fan-out. */
    public static final class Branches<S, R> {

        private final List<Place.Branch<S, R>> all = new ArrayList<>();

        private Branches() {}

        public Branches<S, R> add(String name, Node<S, R> node) {
            if (all.stream().anyMatch(branch -> branch.name().equals(name))) {
                throw new BadGraph("There are two branches '" + name + "'");
            }
            all.add(new Place.Branch<>(Builder.checked(name), node));
            return this;
        }
    }
}
