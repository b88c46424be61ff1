package dev.glovebox.run;

import dev.glovebox.run.spi.Interceptor;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * One walk through a graph of which nothing is kept; see {@link RunOptions#untraced}. States and
 * results go from node to node as they are, and are not written as JSON.
 */
final class Untraced<S> {

    private final Run<S> run;
    private final Clock clock;
    private final Ledger ledger;
    private final UntracedDoor door;
    private final Parallel parallel;
    private volatile S reached;

    Untraced(
            Run<S> run,
            S state,
            Budget budget,
            List<Interceptor> interceptors,
            Clock clock,
            Instant deadline) {
        this.run = run;
        this.clock = clock;
        this.reached = state;
        this.ledger = new Ledger(budget.most(), Cost.NONE);
        this.door = new UntracedDoor(run.name(), ledger, interceptors, new Attempts(deadline));
        this.parallel = new Parallel(run.name(), true);
    }

    /** Goes to the end. */
    Status<S> run(Scope scope) {
        StopReason stop;
        scope.enter();
        try {
            through(run.graph(), "", reached, scope, now -> reached = now);
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

    private <T> T through(
            Graph<T> graph, String prefix, T first, Scope scope, Consumer<T> reached) {
        Map<String, Integer> visits = new HashMap<>();
        T now = first;
        String node = graph.start();
        while (!node.equals(Graph.END)) {
            int visit = visits.merge(node, 1, Integer::sum);
            if (visit > graph.mostVisits()) {
                String what =
                        "The node " + prefix + node + " was visited " + (visit - 1) + " times";
                throw new Stop(new StopReason.LoopDetected(what));
            }
            String path = prefix + node + "#" + visit;
            Place<T> place = graph.place(node);
            T before = now;
            now = visit(path, scope, () -> work(place, path, before, scope));
            node = graph.next(node, now);
            reached.accept(now);
        }
        return now;
    }

    private interface Visit<T> {
        T run() throws Exception;
    }

    private static <T> T visit(String path, Scope scope, Visit<T> visit) {
        scope.check();
        T result;
        try {
            result = visit.run();
            if (result == null) {
                throw new NullPointerException("The node " + path + " gave nothing back");
            }
        } catch (Unwinding | Stop e) {
            throw e;
        } catch (Throwable e) {
            // What fails because it was interrupted has not failed.
            scope.check();
            throw NodeFailure.of(path, e, NodeFailure.problem(e));
        }
        // What ends because it was interrupted has not finished.
        scope.check();
        return result;
    }

    private <T> T work(Place<T> place, String path, T now, Scope scope) throws Exception {
        return switch (place) {
            case Place.Single<T> single -> call(single.node(), path, now, scope);
            case Place.FanOut<T, ?> fan -> fanOut(fan, path, now, scope);
            case Place.Each<T, ?, ?> each -> each(each, path, now, scope);
        };
    }

    private <I, O> O call(Node<I, O> node, String path, I input, Scope scope) throws Exception {
        return node instanceof Place.Nested<I, ?, O> nested
                ? nested(nested, path, input, scope)
                : node.run(input, new UntracedContext(door, clock, parallel, path, scope));
    }

    private <I, T, O> O nested(Place.Nested<I, T, O> nested, String path, I input, Scope scope) {
        T first = nested.into().apply(input);
        T last = through(nested.graph(), path + "/", first, scope, now -> {});
        return nested.back().apply(input, last);
    }

    private <T, R> T fanOut(Place.FanOut<T, R> fan, String path, T now, Scope scope) {
        List<Parallel.Work<Settled<R>>> branches = new ArrayList<>();
        for (Place.Branch<T, R> branch : fan.branches()) {
            branches.add(branch(path + "/" + branch.name(), branch.node(), now));
        }
        return parallel.join(branches, Integer.MAX_VALUE, fan.join(), now, scope);
    }

    private <T, I, R> T each(Place.Each<T, I, R> each, String path, T now, Scope scope) {
        List<Parallel.Work<Settled<R>>> branches = new ArrayList<>();
        for (I item : each.items().apply(now)) {
            branches.add(branch(path + "/" + branches.size(), each.node(), item));
        }
        return parallel.join(branches, each.atOnce(), each.join(), now, scope);
    }

    private <I, R> Parallel.Work<Settled<R>> branch(String path, Node<I, R> node, I input) {
        return new Parallel.Work<>(
                path,
                own -> new Settled.Done<>(visit(path, own, () -> call(node, path, input, own))));
    }
}
