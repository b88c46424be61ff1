package dev.glovebox.run;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event.NodeFinished;
import dev.glovebox.trace.TraceException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Walks through a graph: from node to node, into graphs within graphs, and along branches at once.
 *
 * <p>It always begins at the start. A node that the journal knows as finished is not run but
 * folded: its recorded change is made.
 */
final class Walk {

    private final Journal journal;
    private final Door door;
    private final Desk desk;
    private final Clock clock;
    private final Parallel parallel;

    Walk(Journal journal, Door door, Desk desk, Clock clock, Parallel parallel) {
        this.journal = journal;
        this.door = door;
        this.desk = desk;
        this.clock = clock;
        this.parallel = parallel;
    }

    /** What one node leads to. */
    private record Step<S>(Moment<S> after, String edge) {}

    /** What a visit of a node does with its context. */
    private interface Visit<T> {
        T run(NodeContext context, Supplier<Duration> took) throws Exception;
    }

    /**
     * Walks to the end.
     *
     * @param prefix of the paths of all nodes
     * @param reached is told each state on the way
     */
    <S> Moment<S> through(
            Graph<S> graph,
            String prefix,
            Moment<S> first,
            Scope scope,
            Consumer<Moment<S>> reached) {
        Map<String, Integer> visits = new HashMap<>();
        Moment<S> now = first;
        String node = graph.start();
        while (!node.equals(Graph.END)) {
            int visit = visits.merge(node, 1, Integer::sum);
            if (visit > graph.mostVisits()) {
                String what =
                        "The node " + prefix + node + " was visited " + (visit - 1) + " times";
                throw new Stop(new StopReason.LoopDetected(what));
            }
            String path = Spot.of(prefix + node, visit).path();
            Step<S> step = step(graph, node, path, now, scope, reached);
            now = step.after();
            reached.accept(now);
            node = step.edge();
        }
        return now;
    }

    private <S> Step<S> step(
            Graph<S> graph,
            String node,
            String path,
            Moment<S> now,
            Scope scope,
            Consumer<Moment<S>> reached) {
        Optional<NodeFinished> recorded = journal.folded(path);
        if (recorded.isPresent()) {
            return fold(graph, node, path, now, recorded.get());
        }
        if (graph.place(node) instanceof Place.Single || !journal.hasBegun(path)) {
            // Not before: a run that is cancelled while it rests still has the state it had
            // reached, and what branches have given before that.
            scope.check();
        }
        return visit(
                path,
                now.came(),
                scope,
                (context, took) -> {
                    Consumer<S> stopped = some -> reached.accept(now.next(some).came(now.came()));
                    S result = work(graph.place(node), path, now, context, scope, stopped);
                    Moment.Next<S> next = now.next(given(result, path));
                    String edge = graph.next(node, next.value());
                    context.close();
                    // What ends because it was interrupted has not finished.
                    scope.check();
                    BlobRef delta = journal.finished(path, next.change(), edge, took.get());
                    return new Step<>(next.came(delta), edge);
                });
    }

    private <S> Step<S> fold(
            Graph<S> graph, String node, String path, Moment<S> now, NodeFinished recorded) {
        door.fold(path);
        Snapshot after = now.snapshot().apply(journal.content(recorded.delta()));
        Moment<S> next =
                Journal.read(
                        path,
                        "its state",
                        after.json(),
                        graph.state(),
                        () -> Moment.of(after, graph.state(), recorded.delta()));
        String edge = graph.next(node, next.value());
        if (!edge.equals(recorded.edge())) {
            throw new Unwinding.Differs(
                    new Divergence(path, "edge of node.finished", recorded.edge(), edge));
        }
        return new Step<>(next, edge);
    }

    private static <T> T given(T result, String path) {
        if (result == null) {
            throw new NullPointerException("The node " + path + " gave nothing back");
        }
        return result;
    }

    /** Runs a node, and records that it began, and that it failed, if it does. */
    private <T> T visit(String path, BlobRef input, Scope scope, Visit<T> visit) {
        journal.started(path, input);
        long begin = System.nanoTime();
        Supplier<Duration> took = () -> Duration.ofNanos(System.nanoTime() - begin);
        NodeContext context = new NodeContext(door, desk, journal, clock, parallel, path, scope);
        try {
            return visit.run(context, took);
        } catch (Unwinding e) {
            throw e;
        } catch (TraceException | NotReplayable e) {
            throw scope.broken(e);
        } catch (Throwable e) {
            context.rethrow();
            // What fails because it was interrupted has not failed.
            scope.check();
            context.close();
            if (e instanceof Stop stop) {
                journal.failed(path, "stopped: " + stop.reason().word(), false, took.get());
                throw stop;
            }
            boolean hidden = NodeFailure.isHidden(e);
            String problem = journal.failed(path, NodeFailure.problem(e), hidden, took.get());
            throw NodeFailure.of(path, e, problem);
        } finally {
            context.end();
        }
    }

    private <S> S work(
            Place<S> place,
            String path,
            Moment<S> now,
            NodeContext context,
            Scope scope,
            Consumer<S> stopped)
            throws Exception {
        return switch (place) {
            case Place.Single<S> single -> call(single.node(), path, now.value(), context, scope);
            case Place.FanOut<S, ?> fan -> fanOut(fan, path, now, scope, stopped);
            case Place.Each<S, ?, ?> each -> each(each, path, now, scope, stopped);
        };
    }

    private <I, O> O call(Node<I, O> node, String path, I input, NodeContext context, Scope scope)
            throws Exception {
        if (node instanceof Place.Nested<I, ?, O> nested) {
            return nested(nested, path, input, scope);
        }
        journal.goesOn(path, 0);
        return node.run(input, context);
    }

    private <I, T, O> O nested(Place.Nested<I, T, O> nested, String path, I input, Scope scope) {
        Graph<T> graph = nested.graph();
        byte[] state = Json.bytes(given(nested.into().apply(input), path));
        BlobRef came = journal.input(path + "/" + graph.start(), state);
        Moment<T> first = Moment.of(Snapshot.of(state), graph.state(), came);
        T last = through(graph, path + "/", first, scope, now -> {}).value();
        return nested.back().apply(input, last);
    }

    private <S, R> S fanOut(
            Place.FanOut<S, R> fan, String path, Moment<S> now, Scope scope, Consumer<S> stopped) {
        List<Parallel.Work<Settled<R>>> branches = new ArrayList<>();
        for (Place.Branch<S, R> branch : fan.branches()) {
            String inner = path + "/" + branch.name();
            branches.add(branch(inner, now::came, now::copy, branch.node(), fan.result()));
        }
        return parallel.join(branches, Integer.MAX_VALUE, fan.join(), now.value(), scope, stopped);
    }

    private <S, T, R> S each(
            Place.Each<S, T, R> each,
            String path,
            Moment<S> now,
            Scope scope,
            Consumer<S> stopped) {
        List<Parallel.Work<Settled<R>>> branches = new ArrayList<>();
        List<T> items = each.items().apply(now.copy());
        for (int i = 0; i < items.size(); i++) {
            T item = items.get(i);
            String inner = path + "/" + i;
            branches.add(
                    branch(
                            inner,
                            () -> journal.input(inner, Json.bytes(item)),
                            () -> item,
                            each.node(),
                            each.result()));
        }
        return parallel.join(branches, each.atOnce(), each.join(), now.value(), scope, stopped);
    }

    private <I, R> Parallel.Work<Settled<R>> branch(
            String path,
            Supplier<BlobRef> given,
            Supplier<I> input,
            Node<I, R> node,
            Class<R> type) {
        return new Parallel.Work<>(
                path,
                journal.folded(path).map(recorded -> result(path, recorded, type)),
                scope -> {
                    scope.check();
                    return visit(
                            path,
                            given.get(),
                            scope,
                            (context, took) -> {
                                R result =
                                        given(call(node, path, input.get(), context, scope), path);
                                Json.Written<R> written = Json.written(result, type);
                                context.close();
                                scope.check();
                                journal.finished(
                                        path, Snapshot.whole(written.json()), "", took.get());
                                return new Settled.Done<>(written.value());
                            });
                });
    }

    private <R> Settled<R> result(String path, NodeFinished recorded, Class<R> type) {
        door.fold(path);
        byte[] result = Snapshot.value(journal.content(recorded.delta()));
        return new Settled.Done<>(
                Journal.read(path, "its result", result, type, () -> Json.value(result, type)));
    }
}
