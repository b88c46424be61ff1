package dev.glovebox.run;

import java.util.List;
import java.util.function.BiFunction;

/**
 * What becomes of the results of branches, which come in the order of the branches, whichever was
 * the first to finish.
 */
public final class Join<S, R> {

    private final boolean strict;
    private final BiFunction<S, List<Settled<R>>, S> reducer;

    private Join(boolean strict, BiFunction<S, List<Settled<R>>, S> reducer) {
        this.strict = strict;
        this.reducer = reducer;
    }

    /** All must succeed: when one fails the others are cancelled, and the run fails. */
    public static <S, R> Join<S, R> all(BiFunction<S, List<R>, S> reducer) {
        return new Join<>(true, (state, branches) -> reducer.apply(state, results(branches)));
    }

    /** Failures are results too: the others go on. */
    public static <S, R> Join<S, R> settled(BiFunction<S, List<Settled<R>>, S> reducer) {
        return new Join<>(false, reducer);
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
}
