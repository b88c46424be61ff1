package dev.glovebox.run;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Who of one tenant gets what is published to which topic. */
final class TopicSubscriptions {

    private final Map<Topic, Set<AgentId>> agents = new HashMap<>();
    private final int limit;
    private int count;

    TopicSubscriptions(int limit) {
        this.limit = limit;
    }

    synchronized void add(AgentId agent, Topic topic) {
        if (agents.getOrDefault(topic, Set.of()).contains(agent)) {
            return;
        }
        if (count == limit) {
            throw new MessageException(new MessageFailure.TooMany("subscriptions", limit));
        }
        agents.computeIfAbsent(topic, _ -> new LinkedHashSet<>(1)).add(agent);
        count++;
    }

    synchronized void remove(AgentId agent, Topic topic) {
        Set<AgentId> subscribed = agents.get(topic);
        if (subscribed != null && subscribed.remove(agent)) {
            count--;
            if (subscribed.isEmpty()) {
                agents.remove(topic);
            }
        }
    }

    synchronized Set<AgentId> of(Topic topic) {
        return new LinkedHashSet<>(agents.getOrDefault(topic, Set.of()));
    }
}
