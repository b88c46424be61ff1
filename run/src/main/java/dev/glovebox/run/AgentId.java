package dev.glovebox.run;

/**
 * Says which agent: its tenant, its type, and a key among the agents of that type.
 *
 * <p>Anybody may make one; it gives no rights. Who sends is not taken from an id but from the
 * {@link Messenger} that is used, and an id of another tenant leads nowhere.
 *
 * @param tenant whose agent it is; a name, see {@link AgentNames}
 * @param type what was registered with {@link Runtime#register}
 * @param key tells agents of one type apart: a person, a run, a topic's source
 */
public record AgentId(String tenant, String type, String key) {

    /** The type of everybody who sends and is no agent; permissions can name it. */
    public static final String OUTSIDE = "outside";

    /** Checks the names. */
    public AgentId {
        AgentNames.name("tenant", tenant);
        AgentNames.name("agent type", type);
        AgentNames.key("agent key", key);
    }

    boolean isOutside() {
        return type.equals(OUTSIDE);
    }

    /** {@code type/key}; the tenant is not part of it, as everybody sees only his own. */
    @Override
    public String toString() {
        return type + "/" + key;
    }
}
