package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A tool as a model sees it.
 *
 * @param parameters a JSON schema of an object
 */
public record ToolOffer(String name, String description, JsonNode parameters) {}
