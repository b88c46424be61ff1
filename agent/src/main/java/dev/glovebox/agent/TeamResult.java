package dev.glovebox.agent;

import dev.glovebox.run.Cost;
import dev.glovebox.run.StopReason;

/**
 * What came of a team's task.
 *
 * @param run by which its trace is found
 * @param stop why it ended
 * @param spent over all agents
 */
public record TeamResult(String run, StopReason stop, Discussion discussion, Cost spent) {

    public boolean isCompleted() {
        return stop instanceof StopReason.Completed;
    }

    /** What was said last. */
    public String text() {
        return discussion.text();
    }
}
