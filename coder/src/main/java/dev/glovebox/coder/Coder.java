package dev.glovebox.coder;

import dev.glovebox.run.Context;

/** Writes code. It sees the plan, and not what somebody said. */
public interface Coder {

    Coded code(ExecutionPlan plan, Context context);

    /** What became of that. */
    sealed interface Coded {

        record Code(CodeArtifact artifact) implements Coded {}

        /** It cannot be written. */
        record Stuck(String why) implements Coded {}
    }
}
