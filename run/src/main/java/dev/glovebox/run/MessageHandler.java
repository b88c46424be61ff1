package dev.glovebox.run;

/**
 * What an agent of a {@link Runtime} does: handles the messages of one identity, one at a time.
 *
 * <p>An instance is created for the first message and lives until it is idle, asks for it, fails or
 * the runtime closes; a later message gets a new instance. So what must outlive it is loaded in
 * {@link #activated} and kept in {@link #ended}, or with each message. All methods of an instance
 * are called one after the other, the end of one instance before the beginning of the next.
 */
@FunctionalInterface
public interface MessageHandler {

    /**
     * Called before the first message of this instance, with the context of that message.
     *
     * @throws Exception then the message fails, and the instance has ended
     */
    default void activated(AgentContext context) throws Exception {}

    /**
     * Handles a message; blocking is fine. When it takes longer than {@link AgentLimits#handling},
     * or its caller has given up, the thread is interrupted.
     *
     * @param message a copy that belongs to this agent alone
     * @throws Exception then the sender of a call is told, and this instance is replaced: it may be
     *     half-way through a change
     */
    void handle(AgentContext context, Record message) throws Exception;

    /**
     * Called when this instance gets no more messages.
     *
     * @throws Exception which is logged, no more
     */
    default void ended(AgentEnding why) throws Exception {}
}
