package dev.glovebox.coder;

import dev.glovebox.run.Context;

/** Runs code in a fresh box, and says what happened; not whether that is good. */
public interface Executor {

    ExecutionReport execute(
            CodeArtifact artifact, ExecutionPlan plan, int attempt, Context context);
}
