package dev.glovebox.run;

import dev.glovebox.run.spi.MessageEvent;
import dev.glovebox.run.spi.MessageListener;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What all tenants of one local runtime share; none of it belongs to one of them. */
final class AgentHost {

    private static final Logger LOG = LoggerFactory.getLogger(AgentHost.class);

    private final Map<String, AgentFactory> factories = new ConcurrentHashMap<>();
    private final Map<String, Set<String>> typeSubscriptions = new ConcurrentHashMap<>();
    private final AtomicLong messages = new AtomicLong();
    private final String prefix;
    private final RuntimeSettings settings;
    private final MessageRules rules;
    private final AgentGate gate = new AgentGate();
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    // An agent must not find what the first sender's thread has for itself.
                    Thread.ofVirtual().inheritInheritableThreadLocals(false).factory());
    private final ScheduledThreadPoolExecutor timer;

    AgentHost(RuntimeSettings settings) {
        this.settings = settings;
        rules = new MessageRules(settings, factories::containsKey);
        byte[] random = new byte[6];
        new SecureRandom().nextBytes(random);
        prefix = HexFormat.of().formatHex(random) + "-";
        // A platform thread: agents that keep all carriers busy are those it must interrupt.
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("glovebox agent timer").factory());
        timer.setRemoveOnCancelPolicy(true);
    }

    RuntimeSettings settings() {
        return settings;
    }

    MessageRules rules() {
        return rules;
    }

    AgentGate gate() {
        return gate;
    }

    ExecutorService threads() {
        return threads;
    }

    String nextId() {
        return prefix + messages.incrementAndGet();
    }

    void register(String type, AgentFactory factory) {
        if (type.equals(AgentId.OUTSIDE)
                || factories.putIfAbsent(AgentNames.name("agent type", type), factory) != null) {
            throw new IllegalArgumentException(type + " is reserved, or registered already");
        }
    }

    AgentFactory factory(String type) {
        @Nullable AgentFactory factory = factories.get(type);
        if (factory == null) {
            throw new MessageException(new MessageFailure.NoSuchType(type));
        }
        return factory;
    }

    void subscribe(String agentType, String topicType) {
        AgentNames.name("topic type", topicType);
        rules.admitSubscription(agentType, topicType);
        typeSubscriptions
                .computeIfAbsent(topicType, _ -> ConcurrentHashMap.newKeySet())
                .add(agentType);
    }

    Set<String> subscribedTypes(Topic topic) {
        return typeSubscriptions.getOrDefault(topic.type(), Set.of());
    }

    Future<?> interruptLater(AgentHandling handling, Duration after) {
        return timer.schedule(
                handling::interrupt, AgentDeadline.in(after).left(), TimeUnit.NANOSECONDS);
    }

    void report(Envelope of, MessageEvent.Outcome outcome, Optional<MessageFailure> failure) {
        if (settings.listeners().isEmpty()) {
            return;
        }
        MessageEvent event =
                new MessageEvent(
                        of.id(),
                        of.kind(),
                        of.from(),
                        of.receiver(),
                        of.topic(),
                        of.content().type(),
                        of.content().bytes(),
                        of.sent(),
                        settings.clock().instant(),
                        outcome,
                        failure.map(MessageFailure::kind));
        for (MessageListener listener : settings.listeners()) {
            try {
                listener.observed(event);
            } catch (RuntimeException | Error e) {
                LOG.warn("A listener of messages failed", e);
            }
        }
    }

    /** Interrupts all threads, and does not wait for them. */
    void abandon() {
        threads.shutdownNow();
        timer.shutdownNow();
    }

    /** Ends all threads, those of agents first; false if some go on. */
    boolean close(boolean interrupt, Duration patience) throws InterruptedException {
        long nanos = AgentDeadline.in(patience).left();
        if (interrupt) {
            threads.shutdownNow();
        }
        boolean ended = threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        if (!ended) {
            threads.shutdownNow();
            ended = threads.awaitTermination(nanos, TimeUnit.NANOSECONDS);
        }
        timer.shutdownNow();
        return timer.awaitTermination(nanos, TimeUnit.NANOSECONDS) && ended;
    }
}
