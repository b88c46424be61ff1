package dev.glovebox.run;

import java.util.List;
import java.util.Map;

/**
 * Who got what was published.
 *
 * @param reached the agents in whose mailbox it is
 * @param missed the other subscribers, each with the reason
 */
public record Published(List<AgentId> reached, Map<AgentId, MessageFailure> missed) {

    /** Copies both. */
    public Published {
        reached = List.copyOf(reached);
        missed = Map.copyOf(missed);
    }
}
