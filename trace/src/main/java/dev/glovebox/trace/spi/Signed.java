package dev.glovebox.trace.spi;

/**
 * A statement with its signature; to a store both are just bytes.
 *
 * @param statement canonical JSON
 * @param signature 128 hexadecimal digits
 */
public record Signed(byte[] statement, String signature) {}
