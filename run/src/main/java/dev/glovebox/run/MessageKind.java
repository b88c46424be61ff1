package dev.glovebox.run;

/** How a message came to be sent. */
public enum MessageKind {
    /** {@link Messenger#send}: nobody waits for an answer. */
    SEND,
    /** {@link Messenger#call}: the sender waits for a reply. */
    CALL,
    /** {@link AgentContext#reply}. */
    REPLY,
    /** {@link Messenger#publish}, once for each subscriber. */
    PUBLISH
}
