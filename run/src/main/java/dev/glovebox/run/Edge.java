package dev.glovebox.run;

import java.util.Set;
import java.util.function.Function;

/**
 * Where a run goes from a node.
 *
 * @param choice by the state behind the node
 * @param targets all that it may choose
 */
record Edge<S>(Function<? super S, String> choice, Set<String> targets) {

    String choose(String from, S state) {
        String target = choice.apply(state);
        if (!targets.contains(target)) {
            throw new BadGraph(
                    "From '%s' the run would go to '%s', which is not among %s"
                            .formatted(from, target, targets));
        }
        return target;
    }
}
