package dev.glovebox.agent;

/**
 * A tool that a model wants to be called.
 *
 * @param id by which the model recognises the result
 * @param arguments as the model wrote them: perhaps not even JSON
 */
public record ToolCall(String id, String name, String arguments) {}
