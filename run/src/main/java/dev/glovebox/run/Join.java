package dev.glovebox.run;

import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What becomes of the results of branches, which come in the order of the branches, whichever was
 * the first to finish.
 */
public final class Join<S, R> {

    private final boolean strict;
    private final BiFunction<S, List<Settled<R>>, S> reducer;
    private final Optional<BiFunction<S, List<R>, S>> stopped;

    private Join(
            boolean strict,
            BiFunction<S, List<Settled<R>>, S> reducer,
            Optional<BiFunction<S, List<R>, S>> stopped) {
        this.strict = strict;
        this.reducer = reducer;
        this.stopped = stopped;
    }

    /** All must succeed: when one fails the others are cancelled, and the run fails. */
    public static <S, R> Join<S, R> all(BiFunction<S, List<R>, S> reducer) {
        return all(reducer, Optional.empty());
    }

    /**
     * The same, for branches of which some count without the others.
     *
     * @param stopped makes the last state of a run that ends while some are still at work, of what
     *     the others have given, if there are any
     */
    public static <S, R> Join<S, R> all(
            BiFunction<S, List<R>, S> reducer, BiFunction<S, List<R>, S> stopped) {
        return all(reducer, Optional.of(stopped));
    }

    private static <S, R> Join<S, R> all(
            BiFunction<S, List<R>, S> reducer, Optional<BiFunction<S, List<R>, S>> stopped) {
        return new Join<>(
                true, (state, branches) -> reducer.apply(state, results(branches)), stopped);
    }

    /** Failures are results too: the others go on. */
    public static <S, R> Join<S, R> settled(BiFunction<S, List<Settled<R>>, S> reducer) {
        return new Join<>(false, reducer, Optional.empty());
    }

    private static <R> List<R> results(List<Settled<R>> branches) {
        return branches.stream()
                .map(branch ->
                        switch (branch) {
                            case Settled.Done<R> done -> done.result();
                            case Settled.Failed<R> failed ->
                                    throw new AssertionError("A branch failed: " + failed);
                        })
                .toList();
    }

    boolean isStrict() {
        return strict;
    }

    S reduce(S state, List<Settled<R>> branches) {
        return reducer.apply(state, branches);
    }

    /** The state when the run ends while others are still at work; empty: as it was. */
    Optional<S> stopped(S state, List<Settled<R>> branches) {
        return stopped.map(some -> some.apply(state, results(branches)));
    }
}
