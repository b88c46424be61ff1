package dev.glovebox.run;

import dev.glovebox.run.spi.MessageEvent.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** One message on its way to all subscribers of a topic. */
final class TopicPublication {

    private final LocalTenant tenant;
    private final List<Envelope> full = new ArrayList<>();
    private final Set<AgentId> reached = ConcurrentHashMap.newKeySet();
    private final Map<AgentId, MessageFailure> missed = new ConcurrentHashMap<>();

    TopicPublication(LocalTenant tenant) {
        this.tenant = tenant;
    }

    /** First to those who have room, so that nobody waits for others; then to the rest at once. */
    Published publish(Envelope draft, Set<AgentId> subscribers, AgentDeadline until) {
        for (AgentId subscriber : subscribers) {
            tryNow(draft.to(subscriber));
        }
        if (!full.isEmpty() && until.left() > 0) {
            deliverTogether(until);
        }
        for (Envelope envelope : full) {
            AgentId to = envelope.to();
            if (!reached.contains(to) && !missed.containsKey(to)) {
                miss(envelope, new MessageFailure.MailboxFull(to));
            }
        }
        return new Published(List.copyOf(reached), missed);
    }

    private void tryNow(Envelope draft) {
        Envelope admitted;
        try {
            admitted = tenant.host().rules().intercept(draft);
        } catch (MessageException e) {
            miss(draft, e.failure());
            return;
        }
        try {
            tenant.deliver(admitted, AgentDeadline.now());
            reached.add(admitted.to());
        } catch (MessageException e) {
            if (e.failure() instanceof MessageFailure.MailboxFull) {
                full.add(admitted);
            } else {
                miss(admitted, e.failure());
            }
        }
    }

    // A thread for each: one who never has room must not use up the time of the others.
    private void deliverTogether(AgentDeadline until) {
        List<Callable<Void>> deliveries = new ArrayList<>();
        for (Envelope envelope : full) {
            deliveries.add(() -> {
                deliver(envelope, until);
                return null;
            });
        }
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            each.invokeAll(deliveries);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(Envelope envelope, AgentDeadline until) {
        try {
            tenant.deliver(envelope, until);
            reached.add(envelope.to());
        } catch (MessageException e) {
            miss(envelope, e.failure());
        }
    }

    private void miss(Envelope envelope, MessageFailure why) {
        missed.put(envelope.to(), why);
        tenant.host().report(envelope, Outcome.REFUSED, Optional.of(why));
    }
}
