package dev.glovebox.coder;

import dev.glovebox.run.Context;
import dev.glovebox.sandbox.Policy;
import java.util.Optional;

/**
 * Repairs by rules, and has what is missing installed where that can be done here; where not, it is
 * replaced without an attempt that could only fail.
 */
final class IndexDebugger implements Debugger {

    private final Layers layers;
    private final Policy policy;
    private final Optional<String> tier;

    IndexDebugger(Layers layers, Policy policy, Optional<String> tier) {
        this.layers = layers;
        this.policy = policy;
        this.tier = tier;
    }

    @Override
    public Repair repair(Trouble trouble, Context context) {
        Repair installing = OfflineDebugger.standard().repair(trouble, context);
        return installing
                .artifact()
                .filter(next ->
                        !next.dependencies().equals(trouble.last().artifact().dependencies()))
                .flatMap(next -> layers.problem(next, policy, tier, context))
                .map(why -> OfflineDebugger.withoutIndex(why).repair(trouble, context))
                .orElse(installing);
    }
}
