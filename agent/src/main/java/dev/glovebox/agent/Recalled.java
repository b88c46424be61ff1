package dev.glovebox.agent;

import java.time.Instant;

/**
 * Something that was remembered, and found again.
 *
 * @param what a {@link Fact} or an {@link Episode}
 * @param at when it was remembered last
 * @param times how often it was
 * @param score the higher the better; to be compared within one answer only
 */
public record Recalled<T>(String id, T what, Instant at, long times, double score) {}
