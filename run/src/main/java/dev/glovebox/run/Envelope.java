package dev.glovebox.run;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A message for one receiver.
 *
 * @param to who gets it; the sender himself as long as a publication is not addressed, which never
 *     comes back to its sender
 * @param call who waits for the reply, if somebody does
 */
record Envelope(
        String id,
        MessageKind kind,
        AgentId from,
        AgentId to,
        Optional<Topic> topic,
        EncodedMessage content,
        Instant sent,
        @Nullable AgentCall call) {

    Envelope to(AgentId receiver) {
        return new Envelope(id, kind, from, receiver, topic, content, sent, call);
    }

    Optional<AgentId> receiver() {
        boolean nobody = kind == MessageKind.PUBLISH && to.equals(from);
        return nobody ? Optional.empty() : Optional.of(to);
    }

    Envelope content(EncodedMessage other) {
        return new Envelope(id, kind, from, to, topic, other, sent, call);
    }
}
