package dev.glovebox.run;

/** Makes the agents of a type. */
@FunctionalInterface
public interface AgentFactory {

    /**
     * A new instance, for this identity only.
     *
     * @throws Exception then the message that needed it fails
     */
    Agent create(AgentId id) throws Exception;
}
