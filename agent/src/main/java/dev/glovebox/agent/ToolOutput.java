package dev.glovebox.agent;

import java.util.Optional;

/**
 * What came of calling a tool.
 *
 * @param text what the model reads
 * @param isError whether it is about what went wrong
 * @param executed the program that was run for it, with its receipt
 */
public record ToolOutput(String text, boolean isError, Optional<Executed> executed) {

    public static ToolOutput of(String text) {
        return new ToolOutput(text, false, Optional.empty());
    }

    public static ToolOutput error(String text) {
        return new ToolOutput(text, true, Optional.empty());
    }
}
