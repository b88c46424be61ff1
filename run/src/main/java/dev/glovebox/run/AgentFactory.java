package dev.glovebox.run;

/** Makes what handles the messages of the agents of a type. */
@FunctionalInterface
public interface AgentFactory {

    /**
     * A new instance, for this identity only.
     *
     * @throws Exception then the message that needed it fails
     */
    MessageHandler create(AgentId id) throws Exception;
}
