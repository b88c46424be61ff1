package dev.glovebox.run;

import java.util.HashSet;
import java.util.Set;

/**
 * Says what agents may do, by their type; what is not allowed is denied.
 *
 * <p>A runtime without permissions allows everything between the agents of a tenant. It checks
 * messages, publications and subscriptions itself, by the identity that it gave to the sender: no
 * agent can get around that. It sees no calls of tools, so it does not check {@link Action#TOOL}.
 */
public final class Permissions {

    /** In the place of a type or a target: each of them. */
    public static final String ANY = "*";

    /** What can be allowed. */
    public enum Action {
        /** To send to, or to call, agents of a type. */
        SEND("send to"),
        /** To publish to topics of a type. */
        PUBLISH("publish to"),
        /** To be subscribed to topics of a type. */
        SUBSCRIBE("subscribe to"),
        /**
         * To use a tool. A runtime does not enforce this; {@code ToolRules.of(permissions)} of the
         * agent module does, for the runs of the {@code Runs} that it is given to.
         */
        TOOL("use the tool");

        private final String verb;

        Action(String verb) {
            this.verb = verb;
        }

        String verb() {
            return verb;
        }
    }

    private record Grant(String agentType, Action action, String target) {}

    private static final Permissions NONE = new Permissions(Set.of());

    private final Set<Grant> grants;

    private Permissions(Set<Grant> grants) {
        this.grants = grants;
    }

    /** Nothing is allowed. */
    public static Permissions none() {
        return NONE;
    }

    /** Everything is allowed. */
    static Permissions everything() {
        Permissions all = NONE;
        for (Action action : Action.values()) {
            all = all.allow(ANY, action, ANY);
        }
        return all;
    }

    /**
     * These, and one more.
     *
     * @param agentType who may: a type, {@link AgentId#OUTSIDE}, or {@link #ANY}
     * @param target to whom or what: the type of an agent or a topic, the name of a tool, or {@link
     *     #ANY}
     */
    public Permissions allow(String agentType, Action action, String target) {
        Set<Grant> more = new HashSet<>(grants);
        more.add(
                new Grant(
                        name(agentType),
                        action,
                        action == Action.TOOL ? tool(target) : name(target)));
        return new Permissions(Set.copyOf(more));
    }

    /** Whether it may. */
    public boolean allows(String agentType, Action action, String target) {
        return grants.contains(new Grant(agentType, action, target))
                || grants.contains(new Grant(agentType, action, ANY))
                || grants.contains(new Grant(ANY, action, target))
                || grants.contains(new Grant(ANY, action, ANY));
    }

    /** Goes on only if it may. */
    void check(AgentId agent, Action action, String target) {
        if (!allows(agent.type(), action, target)) {
            throw new MessageException(
                    new MessageFailure.NotPermitted(agent.type(), action, target));
        }
    }

    // A misspelt name would silently allow nothing, which is safe, or be taken for a pattern that
    // there is not, which is not.
    private static String name(String name) {
        return name.equals(ANY) ? name : AgentNames.name("a permission", name);
    }

    private static String tool(String name) {
        return name.equals(ANY) ? name : AgentNames.tool("a permission", name);
    }
}
