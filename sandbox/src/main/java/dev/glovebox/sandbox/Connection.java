package dev.glovebox.sandbox;

import java.time.Duration;
import java.util.Locale;

/**
 * A connection that a program asked for, as the gate of its box saw it.
 *
 * @param host the host it asked for, or what it said instead of one; empty if it said nothing
 * @param port the port it asked for; 0 if it did not say one
 * @param detail the address that it was connected to, or why it was not
 * @param at when it began, since the start of the command
 * @param lasted how long it was open
 * @param sent bytes that went out of the box
 * @param received bytes that came into the box
 */
public record Connection(
        String host,
        int port,
        Fate fate,
        String detail,
        Duration at,
        Duration lasted,
        Bytes sent,
        Bytes received) {

    /** What became of it. */
    public enum Fate {
        /** The policy names it, and it was made. */
        ALLOWED,
        /** The policy does not name it, or it broke a rule of the gate. */
        DENIED,
        /** The policy names it, but the host was not found or did not answer. */
        FAILED;

        /** The name used in JSON. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** {@code host:port}, as far as it was said. */
    public String place() {
        if (host.isEmpty()) {
            return "nowhere";
        }
        return port == 0 ? host : host + ":" + port;
    }
}
