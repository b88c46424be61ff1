package dev.glovebox.run;

import java.time.Duration;

/**
 * Bounds what agents may take: room, time and number.
 *
 * @param mailbox messages that wait in one mailbox
 * @param mailboxBytes what they have together, encoded
 * @param messageBytes what one message may have, encoded
 * @param agents live agents of a tenant, and subscriptions of its single agents
 * @param waiting how long send and call wait if they do not say
 * @param handling how long an agent may handle one message; then it is interrupted
 * @param idle after which time without a message an agent is passivated
 * @param closing how long {@link Runtime#close} waits before it interrupts
 */
public record AgentLimits(
        int mailbox,
        int mailboxBytes,
        int messageBytes,
        int agents,
        Duration waiting,
        Duration handling,
        Duration idle,
        Duration closing) {

    private static final int MEBIBYTE = 1 << 20;

    private static final AgentLimits STANDARD =
            new AgentLimits(
                    1_000,
                    8 * MEBIBYTE,
                    MEBIBYTE,
                    100_000,
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(5),
                    Duration.ofSeconds(10));

    /** Checks that something can be sent at all. */
    public AgentLimits {
        if (mailbox < 1 || messageBytes < 1 || agents < 1 || mailboxBytes < messageBytes) {
            throw new IllegalArgumentException(
                    "A mailbox must have room for a message, and a tenant for an agent");
        }
        if (waiting.isNegative()
                || !handling.isPositive()
                || !idle.isPositive()
                || closing.isNegative()) {
            throw new IllegalArgumentException("A time limit must be positive");
        }
    }

    /** What holds if nothing is said. */
    public static AgentLimits standard() {
        return STANDARD;
    }

    /** These, with another number of messages in a mailbox. */
    public AgentLimits mailbox(int messages) {
        return new AgentLimits(
                messages, mailboxBytes, messageBytes, agents, waiting, handling, idle, closing);
    }

    /** These, with another number of bytes in a mailbox. */
    public AgentLimits mailboxBytes(int bytes) {
        return new AgentLimits(
                mailbox, bytes, messageBytes, agents, waiting, handling, idle, closing);
    }

    /** These, with another length of messages. */
    public AgentLimits messageBytes(int bytes) {
        return new AgentLimits(
                mailbox, mailboxBytes, bytes, agents, waiting, handling, idle, closing);
    }

    /** These, with another number of agents. */
    public AgentLimits agents(int live) {
        return new AgentLimits(
                mailbox, mailboxBytes, messageBytes, live, waiting, handling, idle, closing);
    }

    /** These, with another time to wait. */
    public AgentLimits waiting(Duration time) {
        return new AgentLimits(
                mailbox, mailboxBytes, messageBytes, agents, time, handling, idle, closing);
    }

    /** These, with another time to handle a message. */
    public AgentLimits handling(Duration time) {
        return new AgentLimits(
                mailbox, mailboxBytes, messageBytes, agents, waiting, time, idle, closing);
    }

    /** These, with another time until an agent is passivated. */
    public AgentLimits idle(Duration time) {
        return new AgentLimits(
                mailbox, mailboxBytes, messageBytes, agents, waiting, handling, time, closing);
    }

    /** These, with another patience at the end. */
    public AgentLimits closing(Duration time) {
        return new AgentLimits(
                mailbox, mailboxBytes, messageBytes, agents, waiting, handling, idle, time);
    }
}
