package dev.glovebox.run;

/**
 * Names what messages are about, for those who do not know each other.
 *
 * <p>It has no tenant: the same topic of two tenants is two topics, and who uses one is in the
 * tenant that he is in.
 *
 * @param type the kind of thing, {@code builds}; permissions are given by it
 * @param source the one thing, {@code project-7}; a type of agents that is subscribed gets its
 *     messages in the agent with this key
 */
public record Topic(String type, String source) {

    /** Checks the names. */
    public Topic {
        AgentNames.name("topic type", type);
        AgentNames.key("topic source", source);
    }

    @Override
    public String toString() {
        return type + "/" + source;
    }
}
