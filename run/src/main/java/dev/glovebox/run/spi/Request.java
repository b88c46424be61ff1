package dev.glovebox.run.spi;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An effect that somebody wants to perform.
 *
 * @param path the node
 * @param agent who wants it; empty if it is not an agent
 */
public record Request(
        String run, String path, String agent, String kind, String name, JsonNode arguments) {}
