package dev.glovebox.run;

import java.time.Duration;

/**
 * Sends in the name of one identity, in one tenant.
 *
 * <p>Who sends is fixed by the messenger and cannot be chosen. Messages of one sender to one
 * receiver are handled in the order in which they were sent. Everything here blocks the calling
 * thread, at most as long as it says; inside a handler never longer than the handler has left. All
 * failures are {@link MessageException}s.
 */
public interface Messenger {

    /** In whose name. */
    AgentId self();

    /** The id of an agent of the same tenant; it need not exist yet. */
    default AgentId agent(String type, String key) {
        return new AgentId(self().tenant(), type, key);
    }

    /** Sends, and waits {@link AgentLimits#waiting} for room in the mailbox. */
    void send(AgentId to, Record message);

    /** Sends, and returns when the message is in the receiver's mailbox: not when it is handled. */
    void send(AgentId to, Record message, Duration within);

    /** Sends, and waits {@link AgentLimits#waiting} for the reply. */
    <R extends Record> R call(AgentId to, Record message, Class<R> reply);

    /**
     * Sends, and waits for the reply. Who gives up, because the time is over or he is interrupted,
     * takes the call back: it is not handled any more, and the handler is interrupted.
     */
    <R extends Record> R call(AgentId to, Record message, Class<R> reply, Duration within);

    /** Sends to all subscribers but oneself, without waiting: a full mailbox misses the message. */
    Published publish(Topic topic, Record message);

    /** Sends to all subscribers at once; those whose mailbox is full are waited for together. */
    Published publish(Topic topic, Record message, Duration within);
}
