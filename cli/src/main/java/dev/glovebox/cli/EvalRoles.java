package dev.glovebox.cli;

import dev.glovebox.coder.OfflineCoder;
import dev.glovebox.coder.OfflineDebugger;
import dev.glovebox.coder.OfflinePlanner;
import dev.glovebox.coder.Pipeline;
import dev.glovebox.coder.SandboxExecutor;
import dev.glovebox.sandbox.Policy;

/** Who writes and repairs code in an evaluation. */
final class EvalRoles {

    private EvalRoles() {}

    /**
     * All of them.
     *
     * @param model whose; empty: without any
     */
    static Pipeline of(String model, Policy policy) {
        if (!model.isEmpty()) {
            throw new BadInput(
                    "The roles that use models are not here yet; try --oracle or --oracle-with-bugs");
        }
        return new Pipeline(
                OfflinePlanner.standard(),
                OfflineCoder.standard(),
                SandboxExecutor.of(policy),
                OfflineDebugger.withoutIndex());
    }
}
