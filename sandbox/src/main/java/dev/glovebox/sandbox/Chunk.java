package dev.glovebox.sandbox;

import java.time.Duration;

/**
 * A piece of output as it arrived.
 *
 * <p>Pieces are in order of arrival over both channels, which is right for writes a millisecond
 * apart; nothing finer is claimed. The array is the receiver's own.
 *
 * @param at time since the program was started
 */
public record Chunk(Channel channel, Duration at, byte[] bytes) {

    /** The place of a chunk in the kept output, without its bytes. */
    public record Mark(Channel channel, Duration at, long offset, int length) {}
}
