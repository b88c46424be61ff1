package dev.glovebox.run;

import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What stands at one name of a graph. */
sealed interface Place<S> {

    /** One node. */
    record Single<S>(Node<S, S> node) implements Place<S> {}

    /** Several nodes at once, each with the whole state. */
    record FanOut<S, R>(Class<R> result, List<Branch<S, R>> branches, Join<S, R> join)
            implements Place<S> {}

    /** One node for each element of a list, so many at once. */
    record Each<S, T, R>(
            Class<R> result,
            Function<S, List<T>> items,
            Node<T, R> node,
            int atOnce,
            Join<S, R> join)
            implements Place<S> {}

    record Branch<I, R>(String name, Node<I, R> node) {}

    /** A graph that is a node of another one. */
    record Nested<I, T, O>(
            Graph<T> graph, Function<? super I, T> into, BiFunction<? super I, T, O> back)
            implements Node<I, O> {

        @Override
        public O run(I input, Context context) {
            throw new IllegalStateException(
                    "The graph " + graph.name() + " is run where it stands in another graph only");
        }
    }
}
