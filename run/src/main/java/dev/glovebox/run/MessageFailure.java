package dev.glovebox.run;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Says why a message did not arrive, or why a call got no reply. */
public sealed interface MessageFailure {

    /** What happened, to which thing, and what to do about it. */
    String sentence();

    /** Its name, for counters and traces: it tells nothing of what the message said. */
    default String kind() {
        return getClass().getSimpleName();
    }

    /** No agents of this type were registered. */
    record NoSuchType(String type) implements MessageFailure {
        @Override
        public String sentence() {
            return "There are no agents of the type " + type + ": register it";
        }
    }

    /** The permissions of the runtime do not allow it. */
    record NotPermitted(String agentType, Permissions.Action action, String target)
            implements MessageFailure {
        @Override
        public String sentence() {
            return "The permissions do not allow %s to %s %s"
                    .formatted(agentType, action.verb(), target);
        }
    }

    /** The receiver's id is of another tenant; whether such an agent exists is not told. */
    record OtherTenant(String tenant, AgentId to) implements MessageFailure {
        @Override
        public String sentence() {
            return to + " is not an agent of the tenant " + tenant;
        }
    }

    /** It is not of a registered type, or cannot be encoded and decoded again. */
    record NotAMessage(String type, String reason) implements MessageFailure {
        @Override
        public String sentence() {
            return "A " + type + " cannot be sent: " + reason;
        }
    }

    /** It is longer than {@link AgentLimits#messageBytes} when encoded. */
    record TooBig(String type, int limit) implements MessageFailure {
        @Override
        public String sentence() {
            return "This %s is longer than the %d bytes that a message may have"
                    .formatted(type, limit);
        }
    }

    /** The tenant has as many of something, such as agents, as it may have. */
    record TooMany(String what, int limit) implements MessageFailure {
        @Override
        public String sentence() {
            return "The tenant has its " + limit + " " + what + " already";
        }
    }

    /** The receiver's mailbox was full all the time. The message is not in it. */
    record MailboxFull(AgentId to) implements MessageFailure {
        @Override
        public String sentence() {
            return "The mailbox of " + to + " was full all the time: send less, or wait longer";
        }
    }

    /**
     * No reply came in time.
     *
     * @param begun whether the receiver had begun to handle it: if so it was interrupted, and how
     *     far it came is not known; if not, it never will
     */
    record TimedOut(AgentId to, Duration within, boolean begun) implements MessageFailure {
        @Override
        public String sentence() {
            return "%s did not reply in time (%s at most); it had %s"
                    .formatted(to, within, begun ? "begun" : "not begun");
        }
    }

    /** The receiver waits, itself or through others, for the very agent that calls it. */
    record WouldDeadlock(List<AgentId> chain) implements MessageFailure {
        public WouldDeadlock {
            chain = List.copyOf(chain);
        }

        @Override
        public String sentence() {
            return chain.stream().map(AgentId::toString).collect(Collectors.joining(" -> "))
                    + " would wait for each other: use send instead of call";
        }
    }

    /** An interceptor did not let it pass. */
    record Dropped(String reason) implements MessageFailure {
        @Override
        public String sentence() {
            return "The message was dropped: " + reason;
        }
    }

    /**
     * The receiver could not be created, threw, or took longer than it may.
     *
     * @param error what was thrown, as text: an exception is not sent
     */
    record HandlerFailed(AgentId agent, String error) implements MessageFailure {
        @Override
        public String sentence() {
            return agent + " failed: " + error;
        }
    }

    /** The receiver handled the call and did not reply. */
    record NoReply(AgentId agent) implements MessageFailure {
        @Override
        public String sentence() {
            return agent + " did not reply: it must call context.reply, or be sent to";
        }
    }

    /** The reply is of another type than the caller asked for. */
    record WrongReply(AgentId agent, String expected, String type) implements MessageFailure {
        @Override
        public String sentence() {
            return "%s replied with %s, not %s".formatted(agent, type, expected);
        }
    }

    /** The sender's thread was interrupted while it waited. */
    record Cancelled() implements MessageFailure {
        @Override
        public String sentence() {
            return "The sender was interrupted while it waited";
        }
    }

    /** The runtime is closed, or closing. */
    record Closed() implements MessageFailure {
        @Override
        public String sentence() {
            return "The runtime is closed";
        }
    }
}
