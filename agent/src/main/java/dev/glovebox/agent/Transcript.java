package dev.glovebox.agent;

import java.util.List;

/** Messages as one text that a model, or a person, can read. */
final class Transcript {

    private Transcript() {}

    static String of(List<Message> messages) {
        StringBuilder text = new StringBuilder();
        for (Message message : messages) {
            switch (message) {
                case Message.User user -> line(text, "user", user.text());
                case Message.Assistant assistant -> {
                    line(text, "assistant", assistant.text());
                    for (ToolCall call : assistant.calls()) {
                        line(text, "assistant calls " + call.name(), call.arguments());
                    }
                }
                case Message.ToolResult result ->
                        line(
                                text,
                                result.tool() + (result.isError() ? " failed" : " returned"),
                                result.text());
            }
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String who, String said) {
        if (!said.isBlank()) {
            text.append(who).append(": ").append(said.strip()).append("\n\n");
        }
    }
}
