package dev.glovebox.run.spi;

import dev.glovebox.run.AgentId;
import dev.glovebox.run.MessageKind;
import dev.glovebox.run.Topic;
import java.time.Instant;
import java.util.Optional;

/**
 * What became of one message for one receiver; nothing of what it said.
 *
 * @param id the message's own; a reply has that of its call
 * @param from who sent it, as the runtime knows it
 * @param to who should get it; empty if a publication was refused as a whole
 * @param topic where it was published
 * @param type its registered name, or that of its class if it has none
 * @param bytes how long it is, encoded; 0 if it could not be
 * @param sent when it was sent
 * @param ended when this was known
 * @param outcome what became of it
 * @param failure the kind of failure, if it was one
 */
public record MessageEvent(
        String id,
        MessageKind kind,
        AgentId from,
        Optional<AgentId> to,
        Optional<Topic> topic,
        String type,
        int bytes,
        Instant sent,
        Instant ended,
        Outcome outcome,
        Optional<String> failure) {

    /** How it ended. */
    public enum Outcome {
        /** Its receiver handled it; a reply: its caller got it. */
        HANDLED,
        /** It never was in a mailbox; a reply: its caller did not get it. */
        REFUSED,
        /** Its receiver failed. */
        FAILED,
        /** Its caller gave up before it was begun. */
        EXPIRED,
        /** The runtime closed before it was begun. */
        LOST
    }
}
