package dev.glovebox.coder;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/**
 * The instructions of a role.
 *
 * @param version the name with the number of its version, such as {@code planner-2}; what stands in
 *     a version does not change any more
 */
record PromptText(String version, String text) {

    static final PromptText PLANNER = of("planner-2");
    static final PromptText CODER = of("coder-1");
    static final PromptText DEBUGGER = of("debugger-1");

    private static PromptText of(String version) {
        try (InputStream in = PromptText.class.getResourceAsStream("prompts/" + version + ".md")) {
            if (in == null) {
                throw new IllegalStateException("There are no instructions " + version);
            }
            return new PromptText(
                    version, new String(in.readAllBytes(), StandardCharsets.UTF_8).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
