package dev.glovebox.coder;

import dev.glovebox.run.Context;
import java.util.List;
import java.util.Optional;

/** Finds out why code did not do what it should, and changes it. */
public interface Debugger {

    Repair repair(Trouble trouble, Context context);

    /**
     * What went wrong.
     *
     * @param attempts all of them; the last one is to be repaired, and none of them is to be made
     *     again
     * @param refusals how often a repair was refused, since it was one of the attempts
     */
    record Trouble(ExecutionPlan plan, List<Attempt> attempts, int refusals) {

        public Trouble {
            attempts = List.copyOf(attempts);
        }

        public Trouble(ExecutionPlan plan, List<Attempt> attempts) {
            this(plan, attempts, 0);
        }

        Trouble refused() {
            return new Trouble(plan, attempts, refusals + 1);
        }

        public Attempt last() {
            return attempts.getLast();
        }
    }

    /**
     * What is to be done about it.
     *
     * @param artifact the code to be tried next; empty: nobody knows what to change
     */
    record Repair(Diagnosis diagnosis, Optional<CodeArtifact> artifact) {}
}
