package dev.glovebox.agent;

import java.time.Duration;
import java.util.Optional;

/**
 * How an answer came, for the record.
 *
 * @param model what the server calls the model that answered; empty if it does not say
 * @param id what it calls the answer; empty if it does not say
 * @param first how long it took until the first part was there; empty if it came in one piece
 * @param thought how many of the tokens that were written are thoughts
 */
public record Delivery(String model, String id, Optional<Duration> first, long thought) {}
