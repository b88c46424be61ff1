package dev.glovebox.agent;

import java.util.Optional;

/**
 * What came of calling a tool.
 *
 * @param text what the model reads
 * @param isError whether it is about what went wrong
 * @param executed the program that was run for it, with its receipt
 * @param wroteFile whether what {@code write_file} was given is a file of the run from now on; the
 *     words do not tell, since guardrails may change them
 */
public record ToolOutput(
        String text, boolean isError, Optional<Executed> executed, boolean wroteFile) {

    public ToolOutput(String text, boolean isError, Optional<Executed> executed) {
        this(text, isError, executed, false);
    }

    public static ToolOutput of(String text) {
        return new ToolOutput(text, false, Optional.empty());
    }

    public static ToolOutput error(String text) {
        return new ToolOutput(text, true, Optional.empty());
    }

    static ToolOutput wrote(String text) {
        return new ToolOutput(text, false, Optional.empty(), true);
    }
}
