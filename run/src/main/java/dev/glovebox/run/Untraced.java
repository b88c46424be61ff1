package dev.glovebox.run;

import dev.glovebox.run.spi.Interceptor;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One walk through a graph of which nothing is kept; see {@link RunOptions#untraced}. States and
 * results go from node to node as they are, and are not written as JSON.
 */
final class Untraced<S> {

    private final Run<S> run;
    private final Clock clock;
    private final Budget budget;
    private final List<Interceptor> interceptors;
    private final Instant deadline;
    private final Ledger ledger;
    private final LoopWatch loops = new LoopWatch();
    private final Parallel parallel;
    private final Map<String, Stand<?>> stands = new ConcurrentHashMap<>();
    private volatile S reached;
    private volatile UntracedDoor.Visit left = new UntracedDoor.Visit(Spot.NOWHERE, List.of());

    Untraced(
            Run<S> run,
            S state,
            Budget budget,
            List<Interceptor> interceptors,
            Optional<Ledger> together,
            Clock clock,
            Instant deadline) {
        this.run = run;
        this.clock = clock;
        this.reached = state;
        this.budget = budget;
        this.interceptors = interceptors;
        this.deadline = deadline;
        this.ledger = new Ledger(budget.most(), Cost.NONE, together);
        this.parallel = new Parallel(run.name(), true);
    }

    /** A node, the edge behind it, and how often the walk has come to it. */
    private static final class Visited<T> {
        private final String node;
        private final String path;
        private final Place<T> place;
        private final Edge<T> edge;
        private int visits;

        private Visited(Graph<T> graph, String prefix, String node) {
            this.node = node;
            this.path = prefix + node;
            this.place = graph.place(node);
            this.edge = graph.edge(node);
        }

        private String next(T state) {
            return edge.choose(node, state);
        }
    }

    /** Where a walk through a graph stands. */
    private static final class Stand<T> {
        private final Graph<T> graph;
        private final String prefix;
        private final Map<String, Visited<T>> visited = new HashMap<>();
        private @Nullable Visited<T> at;
        private T state;

        private Stand(Graph<T> graph, String prefix, T state) {
            this.graph = graph;
            this.prefix = prefix;
            this.state = state;
            enter(graph.start());
        }

        private void step(Visited<T> from, T after) {
            state = after;
            enter(from.next(after));
        }

        private void enter(String next) {
            Visited<T> entered = visited.get(next);
            if (entered == null && !next.equals(Graph.END)) {
                entered = new Visited<>(graph, prefix, next);
                visited.put(next, entered);
            }
            if (entered != null) {
                entered.visits++;
            }
            at = entered;
        }
    }

    Budget budget() {
        return budget;
    }

    /**
     * Goes to the end, from where it stands.
     *
     * @param post of this thread
     * @param successor calls this again, on another thread, when this one is left behind
     */
    Status<S> run(Scope scope, Watchdog.Post post, Runnable successor) {
        UntracedDoor door =
                new UntracedDoor(
                        run.name(),
                        ledger,
                        interceptors,
                        loops,
                        new Attempts(deadline, Optional.of(post)),
                        visit -> {
                            left = visit;
                            successor.run();
                        });
        StopReason stop;
        scope.enter();
        try {
            through(run.graph(), "", reached, door, scope, now -> reached = now);
            stop = new StopReason.Completed();
        } catch (Unwinding.Halted e) {
            stop = e.reason();
        } catch (Stop e) {
            stop = e.reason();
        } catch (NodeFailure e) {
            stop = e.reason();
        } finally {
            scope.leave();
        }
        return new Status.Finished<>(run.name(), stop, reached, ledger.spent(), ledger.left());
    }

    @SuppressWarnings("unchecked") // At one place there is always the same graph.
    private <T> T through(
            Graph<T> graph,
            String prefix,
            T first,
            UntracedDoor door,
            Scope scope,
            Consumer<T> reached) {
        Stand<T> stand =
                (Stand<T>) stands.computeIfAbsent(prefix, any -> new Stand<>(graph, prefix, first));
        for (Visited<T> at = stand.at; at != null; at = stand.at) {
            if (at.visits > graph.mostVisits()) {
                String what = "The node %s was visited %d times".formatted(at.path, at.visits - 1);
                throw new Stop(new StopReason.LoopDetected(what));
            }
            Spot spot = Spot.of(at.path, at.visits);
            Place<T> place = at.place;
            T after =
                    visit(spot, scope, () -> work(place, spot, stand.state, door, scope, reached));
            stand.step(at, after);
            reached.accept(after);
        }
        stands.remove(prefix);
        return stand.state;
    }

    private interface Visit<T> {
        T run() throws Exception;
    }

    private static <T> T visit(Spot spot, Scope scope, Visit<T> visit) {
        scope.check();
        T result;
        try {
            result = visit.run();
            if (result == null) {
                throw new NullPointerException("The node " + spot.path() + " gave nothing back");
            }
        } catch (Unwinding | Stop e) {
            throw e;
        } catch (Throwable e) {
            // What fails because it was interrupted has not failed.
            scope.check();
            throw NodeFailure.of(spot.path(), e, NodeFailure.problem(e));
        }
        // What ends because it was interrupted has not finished.
        scope.check();
        return result;
    }

    private <T> T work(
            Place<T> place, Spot spot, T now, UntracedDoor door, Scope scope, Consumer<T> stopped)
            throws Exception {
        return switch (place) {
            case Place.Single<T> single -> call(single.node(), spot, now, door, scope);
            case Place.FanOut<T, ?> fan -> fanOut(fan, spot, now, door, scope, stopped);
            case Place.Each<T, ?, ?> each -> each(each, spot, now, door, scope, stopped);
        };
    }

    private <I, O> O call(Node<I, O> node, Spot spot, I input, UntracedDoor door, Scope scope)
            throws Exception {
        if (node instanceof Place.Nested<I, ?, O> nested) {
            return nested(nested, spot, input, door, scope);
        }
        List<UntracedContext.Came> came =
                left.spot().equals(spot) ? left.came() : new ArrayList<>();
        return node.run(input, new UntracedContext(door, clock, parallel, spot, scope, came));
    }

    private <I, T, O> O nested(
            Place.Nested<I, T, O> nested, Spot spot, I input, UntracedDoor door, Scope scope) {
        T first = nested.into().apply(input);
        T last = through(nested.graph(), spot.path() + "/", first, door, scope, now -> {});
        return nested.back().apply(input, last);
    }

    private <T, R> T fanOut(
            Place.FanOut<T, R> fan,
            Spot spot,
            T now,
            UntracedDoor door,
            Scope scope,
            Consumer<T> stopped) {
        List<Parallel.Work<Settled<R>>> branches = new ArrayList<>();
        for (Place.Branch<T, R> branch : fan.branches()) {
            branches.add(branch(spot.in(branch.name()), branch.node(), now, door));
        }
        return parallel.join(branches, Integer.MAX_VALUE, fan.join(), now, scope, stopped);
    }

    private <T, I, R> T each(
            Place.Each<T, I, R> each,
            Spot spot,
            T now,
            UntracedDoor door,
            Scope scope,
            Consumer<T> stopped) {
        List<Parallel.Work<Settled<R>>> branches = new ArrayList<>();
        for (I item : each.items().apply(now)) {
            branches.add(branch(spot.in(String.valueOf(branches.size())), each.node(), item, door));
        }
        return parallel.join(branches, each.atOnce(), each.join(), now, scope, stopped);
    }

    private <I, R> Parallel.Work<Settled<R>> branch(
            Spot spot, Node<I, R> node, I input, UntracedDoor door) {
        return Parallel.Work.of(
                spot.path(),
                own ->
                        new Settled.Done<>(
                                visit(spot, own, () -> call(node, spot, input, door, own))));
    }
}
