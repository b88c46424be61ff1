package dev.glovebox.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The agents and subscriptions of one tenant.
 *
 * <p>A messenger has one of these and no other. So even a message that got past all checks would
 * not find an agent of another tenant, nor make one.
 */
final class LocalTenant {

    private final String name;
    private final AgentHost host;
    private final Map<AgentId, AgentCell> cells = new ConcurrentHashMap<>();
    private final AgentWaits waits = new AgentWaits();
    private final TopicSubscriptions subscriptions;

    LocalTenant(String name, AgentHost host) {
        this.name = AgentNames.name("tenant", name);
        this.host = host;
        subscriptions = new TopicSubscriptions(host.settings().limits().agents());
    }

    String name() {
        return name;
    }

    AgentHost host() {
        return host;
    }

    AgentWaits waits() {
        return waits;
    }

    void subscribe(AgentId agent, Topic topic) {
        host.rules().admitSubscription(agent.type(), topic.type());
        subscriptions.add(agent, topic);
    }

    void unsubscribe(AgentId agent, Topic topic) {
        subscriptions.remove(agent, topic);
    }

    /** Each once, by whichever way it is subscribed. */
    Set<AgentId> subscribers(Topic topic) {
        Set<AgentId> found = subscriptions.of(topic);
        for (String type : host.subscribedTypes(topic)) {
            found.add(new AgentId(name, type, topic.source()));
        }
        return found;
    }

    /** Puts it into the receiver's mailbox, or throws; then it is not there. */
    void deliver(Envelope envelope, AgentDeadline until) {
        host.gate().enter(envelope.from());
        boolean in = false;
        try {
            put(envelope, until);
            in = true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MessageException(new MessageFailure.Cancelled());
        } finally {
            if (!in) {
                host.gate().leave();
            }
        }
    }

    private void put(Envelope envelope, AgentDeadline until) throws InterruptedException {
        AgentId to = envelope.to();
        while (true) {
            AgentCell cell = cell(to);
            switch (cell.mailbox().put(envelope, until)) {
                case IN -> {
                    return;
                }
                case FULL -> throw new MessageException(new MessageFailure.MailboxFull(to));
                case STOPPED -> throw new MessageException(new MessageFailure.Closed());
                case RETIRED -> forget(cell);
            }
        }
    }

    private AgentCell cell(AgentId id) {
        AgentCell there = cells.get(id);
        return there == null ? create(id) : there;
    }

    private synchronized AgentCell create(AgentId id) {
        if (!id.tenant().equals(name)) {
            throw new IllegalStateException("An agent of another tenant came this far: " + id);
        }
        @Nullable AgentCell there = cells.get(id);
        if (there != null) {
            return there;
        }
        int limit = host.settings().limits().agents();
        if (cells.size() >= limit) {
            throw new MessageException(new MessageFailure.TooMany("agents", limit));
        }
        AgentCell cell = new AgentCell(id, this);
        cells.put(id, cell);
        try {
            host.threads().execute(cell);
        } catch (RejectedExecutionException e) {
            forget(cell);
            throw new MessageException(new MessageFailure.Closed());
        }
        return cell;
    }

    void forget(AgentCell cell) {
        cells.remove(cell.id(), cell);
    }

    // The threads take no new cell by now. Creating is synchronized too, so none is overlooked.
    void stop() {
        List<AgentCell> all;
        synchronized (this) {
            all = new ArrayList<>(cells.values());
        }
        all.forEach(AgentCell::stop);
    }
}
