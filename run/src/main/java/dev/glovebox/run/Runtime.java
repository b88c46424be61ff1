package dev.glovebox.run;

/**
 * Where agents live: brings them to life when a message comes, and carries messages between them.
 *
 * <p>Who holds the runtime is trusted: agents get an {@link AgentContext} instead. The agents' code
 * does not see whether they are in one process or in many.
 */
// The design's name for it; java.lang.Runtime is rarely needed beside it.
@SuppressWarnings("JavaLangClash")
public interface Runtime extends AutoCloseable {

    /**
     * Tells how agents of a type are made.
     *
     * @throws IllegalArgumentException if the type is registered already or reserved
     */
    void register(String type, AgentFactory factory);

    /**
     * Subscribes a type of agents to a type of topics, in every tenant: what is published to {@code
     * topicType/x} reaches the agent {@code agentType/x} of the publisher's tenant.
     */
    void subscribe(String agentType, String topicType);

    /** Subscribes one agent, in its tenant. */
    void subscribe(AgentId agent, Topic topic);

    /** Undoes the subscription of one agent. */
    void unsubscribe(AgentId agent, Topic topic);

    /** For whoever is no agent, in the name of {@link AgentId#OUTSIDE}. */
    Messenger outside(String tenant);

    /**
     * Takes no more messages from outside, lets the agents finish with what they have and what they
     * tell each other for {@link AgentLimits#closing}, interrupts what is left, and ends all
     * agents.
     */
    @Override
    void close();
}
