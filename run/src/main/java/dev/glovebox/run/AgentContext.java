package dev.glovebox.run;

import java.time.Duration;
import java.util.Optional;

/**
 * What an agent has while it handles one message; afterwards each method throws {@link
 * IllegalStateException}.
 */
public interface AgentContext extends Messenger {

    /** Who sent the message, as the runtime knows it. */
    AgentId sender();

    /** Where it was published, if it was. */
    Optional<Topic> topic();

    /** How long this message may still be handled. */
    Duration remaining();

    /**
     * Answers a call, once. It goes to the caller and to nobody else; if nobody waits, nowhere.
     *
     * @throws MessageException if it cannot be encoded
     * @throws IllegalStateException if it was answered already
     */
    void reply(Record message);

    /** Subscribes this agent, whichever instance it has, until it unsubscribes. */
    void subscribe(Topic topic);

    /** Undoes {@link #subscribe}. */
    void unsubscribe(Topic topic);

    /** Ends this instance after this message; messages that wait get a new one. */
    void passivate();
}
