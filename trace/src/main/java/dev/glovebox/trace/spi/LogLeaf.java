package dev.glovebox.trace.spi;

import java.util.Optional;

/**
 * A leaf of the log, and what helps to find and prove it without reading all others.
 *
 * @param bytes what it says
 * @param run which run it names; empty if none
 * @param block if it is the last one of a block of leaves, the hash of that
 */
public record LogLeaf(byte[] bytes, String run, Optional<byte[]> block) {}
