package dev.glovebox.coder;

import dev.glovebox.run.Context;

/** Understands what somebody wants. */
public interface Planner {

    Planned plan(Task task, Context context);

    /** What became of that. */
    sealed interface Planned {

        record Plan(ExecutionPlan plan) implements Planned {}

        /**
         * It cannot be planned.
         *
         * @param why what is missing, and what somebody can do about it
         */
        record Unclear(String why) implements Planned {}
    }
}
