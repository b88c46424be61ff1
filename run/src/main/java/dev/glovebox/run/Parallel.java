package dev.glovebox.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does several things at once, each on its virtual thread, and waits until all have ended.
 *
 * <p>Which failure counts must not depend on who was quicker, so that a replay comes to the same:
 * of those that really failed it is the first in the order of the branches. In a replay nothing is
 * cancelled, since each branch ends by itself where its record does.
 */
final class Parallel {

    private final String run;
    private final boolean cancels;

    Parallel(String run, boolean cancels) {
        this.run = run;
        this.cancels = cancels;
    }

    /**
     * Something to do, in a scope that ends when one of its siblings fails.
     *
     * @param known what came of it before, so that it is not done again
     */
    record Work<R>(String name, Optional<R> known, Function<Scope, R> what) {

        static <R> Work<R> of(String name, Function<Scope, R> what) {
            return new Work<>(name, Optional.empty(), what);
        }
    }

    /** How one of them ended. */
    private static final class Ending<R> {
        private @Nullable R result;
        private @Nullable Throwable problem;
    }

    /** All results; the first problem, when all have really ended, if there is one. */
    <R> List<R> all(List<Work<R>> works, Scope scope) {
        return settle(
                works,
                scope,
                Integer.MAX_VALUE,
                false,
                e -> {
                    throw e;
                },
                some -> {});
    }

    /**
     * Puts the results of branches into a state.
     *
     * @param stopped is told the state if the run ends here, with what some of them gave
     */
    <S, R> S join(
            List<Work<Settled<R>>> branches,
            int atOnce,
            Join<S, R> join,
            S state,
            Scope scope,
            Consumer<S> stopped) {
        List<Settled<R>> settled =
                settle(
                        branches,
                        scope,
                        atOnce,
                        join.isStrict(),
                        problem -> {
                            if (!join.isStrict() && problem instanceof NodeFailure failure) {
                                return new Settled.Failed<>(failure.path(), failure.problem());
                            }
                            throw problem;
                        },
                        some -> join.stopped(state, some).ifPresent(stopped));
        return join.reduce(state, settled);
    }

    /**
     * The results in their order.
     *
     * @param strict whether one that fails cancels the others
     * @param failed what becomes of one that failed
     * @param some is told the results that there are, before what the others came to ends it
     */
    <R> List<R> settle(
            List<Work<R>> works,
            Scope scope,
            int atOnce,
            boolean strict,
            Function<RuntimeException, R> failed,
            Consumer<List<R>> some) {
        Scope inner = scope.child();
        List<Ending<R>> endings = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        Semaphore turns = new Semaphore(Math.min(atOnce, works.size()));
        for (Work<R> work : works) {
            Ending<R> ending = new Ending<>();
            endings.add(ending);
            if (work.known().isPresent()) {
                // Also where the scope was cancelled: it stays known.
                ending.result = work.known().get();
            } else if (works.size() == 1) {
                // Nothing is at once with it.
                work(work, ending, inner, turns, strict);
            } else {
                threads.add(
                        Thread.ofVirtual()
                                .name("glovebox " + run + " " + work.name())
                                .start(() -> work(work, ending, inner, turns, strict)));
            }
        }
        // Whoever cancels the scope cancels the inner one: they all end soon.
        threads.forEach(Parallel::join);
        inner.close();
        List<R> came = came(endings);
        if (!came.isEmpty()) {
            some.accept(came);
        }
        scope.check();
        return results(endings, strict, failed);
    }

    private static <R> List<R> came(List<Ending<R>> endings) {
        List<R> came = new ArrayList<>();
        for (Ending<R> ending : endings) {
            if (ending.result != null) {
                came.add(ending.result);
            }
        }
        return came;
    }

    private <R> void work(
            Work<R> work, Ending<R> ending, Scope scope, Semaphore turns, boolean strict) {
        scope.enter();
        boolean turn = false;
        try {
            turns.acquire();
            turn = true;
            ending.result = work.what().apply(scope);
        } catch (InterruptedException e) {
            ending.problem = new Unwinding.Halted(new StopReason.Cancelled("an interruption"));
        } catch (Throwable e) {
            ending.problem = e;
            boolean ends = strict ? !(e instanceof Unwinding) : e instanceof Stop;
            if (ends && cancels) {
                scope.cancel(new StopReason.Cancelled("a branch that failed"));
            }
        } finally {
            if (turn) {
                turns.release();
            }
            scope.leave();
        }
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <R> List<R> results(
            List<Ending<R>> endings, boolean strict, Function<RuntimeException, R> failed) {
        endings.forEach(ending -> rethrow(ending, Unwinding.Broken.class));
        endings.forEach(ending -> rethrow(ending, Unwinding.Differs.class));
        endings.forEach(ending -> rethrow(ending, Stop.class));
        if (!strict) {
            // Somebody who waits for an answer has not ended.
            endings.forEach(ending -> rethrow(ending, Unwinding.Paused.class));
        }
        List<R> results = new ArrayList<>();
        for (Ending<R> ending : endings) {
            if (ending.problem instanceof RuntimeException e) {
                results.add(failed.apply(e));
            } else if (ending.result != null) {
                results.add(ending.result);
            }
        }
        endings.forEach(ending -> rethrow(ending, Unwinding.Paused.class));
        endings.forEach(ending -> rethrow(ending, Unwinding.class));
        endings.forEach(ending -> rethrow(ending, Error.class));
        return results;
    }

    private static <E extends Throwable> void rethrow(Ending<?> ending, Class<E> kind) {
        if (kind.isInstance(ending.problem)) {
            if (ending.problem instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) ending.problem;
        }
    }
}
