package dev.glovebox.agent;

/**
 * What a model answered.
 *
 * @param isCut whether it wrote as much as it may, and had not come to an end
 */
public record Reply(Message.Assistant message, Usage usage, boolean isCut) {}
