package dev.glovebox.run;

import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event.RunFinished;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;

/** One walk through a graph for a run: at first, resumed, forked or replayed. */
final class Execution<S> {

    // What ends a run from outside, wherever it happens to be.
    private static final Set<String> OUTSIDE = Set.of("cancelled", "timed-out");

    private final Graph<S> graph;
    private final Journal journal;
    private final Moment<S> first;
    private final Ledger ledger;
    private final Desk desk;
    private final Walk walk;
    private volatile Moment<S> reached;

    /**
     * Prepares it.
     *
     * @param input where the beginning is kept
     * @param together what it shares with other runs, if it does
     * @param post of the thread that performs effects; empty: nothing is done to the world
     * @param successor goes on with the run when that thread is left behind
     */
    Execution(
            Graph<S> graph,
            Journal journal,
            Beginning beginning,
            BlobRef input,
            List<Interceptor> interceptors,
            Optional<Ledger> together,
            Clock clock,
            Instant deadline,
            Results results,
            Optional<Watchdog.Post> post,
            Runnable successor) {
        this.graph = graph;
        this.journal = journal;
        this.first = Moment.of(Snapshot.of(beginning.state()), graph.state(), input);
        this.reached = first;
        this.ledger = new Ledger(beginning.budget().most(), journal.spent(), together);
        this.desk = new Desk(journal, new Letters(journal.trace()), clock);
        Attempts attempts = new Attempts(deadline, post);
        Door door = new Door(journal, ledger, interceptors, desk, results, attempts, successor);
        Parallel parallel = new Parallel(journal.run(), post.isPresent());
        this.walk = new Walk(journal, door, desk, clock, parallel);
    }

    /**
     * Goes as far as it can.
     *
     * @throws Unwinding.OffTape if a replay comes to where nothing is recorded
     */
    Status<S> run(Scope scope) {
        StopReason stop;
        boolean hidden = false;
        scope.enter();
        try {
            walk.through(graph, "", first, scope, now -> reached = now);
            stop = new StopReason.Completed();
        } catch (Unwinding.Paused e) {
            return new Status.Waiting<>(journal.run(), desk.open());
        } catch (Unwinding.Differs e) {
            return new Status.Differs<>(journal.run(), e.divergence());
        } catch (Unwinding.Halted e) {
            if (scope.isSuspended()) {
                throw new Suspended(journal.run());
            }
            stop = e.reason();
        } catch (Unwinding.OffTape e) {
            stop = interrupted(e);
        } catch (Stop e) {
            stop = e.reason();
            hidden = e.isHidden();
        } catch (NodeFailure e) {
            stop = e.reason();
            hidden = NodeFailure.isHidden(e);
        } catch (Unwinding.Broken e) {
            throw e.problem();
        } finally {
            scope.leave();
        }
        return finish(stop, hidden);
    }

    /** The keys of the questions that it has left without an answer. */
    Stream<String> unanswered() {
        return desk.unanswered();
    }

    /** Goes through what is recorded; where that differs from what the program does. */
    Optional<Divergence> replay() {
        try {
            return run(new Scope()) instanceof Status.Differs<S> differs
                    ? Optional.of(differs.divergence())
                    : Optional.empty();
        } catch (Unwinding.OffTape e) {
            // Of a run that is not finished nobody knows what comes next.
            return journal.tape().finished().map(finished -> e.divergence());
        }
    }

    private Status<S> finish(StopReason stop, boolean hidden) {
        Moment<S> last = reached;
        SequencedMap<String, byte[]> result = new LinkedHashMap<>();
        result.put("state", last.json());
        result.put("stop", Json.bytes(stop));
        try {
            journal.finish(stop, Snapshot.object(result), hidden);
        } catch (Unwinding.Differs e) {
            return new Status.Differs<>(journal.run(), e.divergence());
        }
        return new Status.Finished<>(
                journal.run(), stop, last.copy(), ledger.spent(), ledger.left());
    }

    /** A recording that ends because the run was ended from outside. */
    private StopReason interrupted(Unwinding.OffTape e) {
        Optional<RunFinished> finished = journal.tape().finished();
        if (finished.isEmpty() || !OUTSIDE.contains(finished.get().stop())) {
            throw e;
        }
        byte[] result = journal.content(finished.get().result().orElseThrow());
        return Json.value(Snapshot.member(result, "stop").orElseThrow(), StopReason.class);
    }
}
