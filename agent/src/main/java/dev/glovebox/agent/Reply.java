package dev.glovebox.agent;

import java.util.Optional;

/**
 * What a model answered.
 *
 * @param isCut whether it wrote as much as it may, and had not come to an end
 * @param delivery how it came, if that is known
 */
public record Reply(
        Message.Assistant message, Usage usage, boolean isCut, Optional<Delivery> delivery) {

    public Reply(Message.Assistant message, Usage usage, boolean isCut) {
        this(message, usage, isCut, Optional.empty());
    }
}
