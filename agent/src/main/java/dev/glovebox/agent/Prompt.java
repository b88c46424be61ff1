package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Appended;
import java.util.List;
import java.util.Optional;

/**
 * What a model is asked.
 *
 * @param instructions what it is told before everything else
 * @param output a JSON schema that the answer should follow
 * @param mostTokens how many it may write
 */
public record Prompt(
        String instructions,
        List<Message> messages,
        List<ToolOffer> tools,
        Optional<JsonNode> output,
        int mostTokens) {

    /** What a model may write if nobody says otherwise. */
    public static final int TOKENS = 4_096;

    public Prompt {
        messages = Appended.copyOf(messages);
        tools = List.copyOf(tools);
    }
}
