package dev.glovebox.run;

/** Why an instance of an agent gets no more messages. */
public enum AgentEnding {
    /** No message came for {@link AgentLimits#idle}. */
    IDLE,
    /** It called {@link AgentContext#passivate}. */
    REQUESTED,
    /** It threw or was interrupted: do not keep what it has in memory. */
    FAILED,
    /** The runtime closes. */
    CLOSED
}
