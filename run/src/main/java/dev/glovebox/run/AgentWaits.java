package dev.glovebox.run;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which agent of a tenant waits for a reply of which.
 *
 * <p>An agent that waits handles no message. So a circle of them waits for ever, whichever message
 * each of them is at: it is found before its last call is made.
 */
final class AgentWaits {

    private final Map<AgentId, List<AgentId>> waits = new HashMap<>();

    /**
     * Notes that one is going to wait for another.
     *
     * @throws MessageException with the circle that this would close
     */
    synchronized void begin(AgentId caller, AgentId callee) {
        List<AgentId> back = path(callee, caller);
        if (!back.isEmpty()) {
            List<AgentId> circle = new ArrayList<>(List.of(caller));
            circle.addAll(back);
            throw new MessageException(new MessageFailure.WouldDeadlock(circle));
        }
        waits.computeIfAbsent(caller, _ -> new ArrayList<>(1)).add(callee);
    }

    synchronized void end(AgentId caller, AgentId callee) {
        List<AgentId> callees = waits.get(caller);
        if (callees != null && callees.remove(callee) && callees.isEmpty()) {
            waits.remove(caller);
        }
    }

    /** From one to the other along those who wait; empty if there is no way. */
    private List<AgentId> path(AgentId from, AgentId to) {
        Map<AgentId, AgentId> cameFrom = new HashMap<>(Map.of(from, from));
        Deque<AgentId> open = new ArrayDeque<>(List.of(from));
        for (AgentId at = open.poll(); at != null; at = open.poll()) {
            if (at.equals(to)) {
                return backwards(cameFrom, from, to);
            }
            for (AgentId next : waits.getOrDefault(at, List.of())) {
                if (cameFrom.putIfAbsent(next, at) == null) {
                    open.add(next);
                }
            }
        }
        return List.of();
    }

    private static List<AgentId> backwards(
            Map<AgentId, AgentId> cameFrom, AgentId from, AgentId to) {
        Deque<AgentId> path = new ArrayDeque<>();
        @Nullable AgentId at = to;
        while (at != null && !at.equals(from)) {
            path.push(at);
            at = cameFrom.get(at);
        }
        path.push(from);
        return List.copyOf(path);
    }
}
