package dev.glovebox.run.spi;

import dev.glovebox.run.AgentId;
import dev.glovebox.run.MessageKind;
import dev.glovebox.run.Topic;
import java.util.Optional;

/**
 * Sees every message, replies too, before it is in a mailbox, and decides whether it goes on.
 *
 * <p>It is called in the sender's thread, by many at once. If it throws, the message is dropped.
 */
@FunctionalInterface
public interface MessageInterceptor {

    /** Decides about one message for one receiver. */
    Decision intercept(Passing message);

    /**
     * A message on its way.
     *
     * @param content a copy: to change it changes nothing, see {@link Change}
     */
    record Passing(
            MessageKind kind, AgentId from, AgentId to, Optional<Topic> topic, Record content) {}

    /** What becomes of it. */
    sealed interface Decision {}

    /** It goes on as it is. */
    record Pass() implements Decision {}

    /** This goes on in its place, to the same receiver. */
    record Change(Record content) implements Decision {}

    /** It goes nowhere; the sender is told the reason. */
    record Drop(String reason) implements Decision {}
}
