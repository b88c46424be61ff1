package dev.glovebox.agent;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What several have said, as one text that a model, or a person, can read.
 *
 * <p>Each line of what somebody has said is marked, and no other line is: whatever it says, nobody
 * can make it look as if somebody else had said it.
 */
final class Transcript {

    private static final String MARK = "> ";

    /** All that anybody may take for the end of a line. */
    private static final Pattern LINE_END = Pattern.compile("\\R");

    private Transcript() {}

    /**
     * What one has said.
     *
     * @param who a name that has no line ends
     */
    static String turn(String who, String said) {
        return "[" + who + "]\n" + MARK + LINE_END.matcher(said).replaceAll("\n" + MARK);
    }

    /**
     * The beginning and the end of a conversation.
     *
     * @param mostBytes of all that, in UTF-8
     */
    static String of(List<Message> messages, long mostBytes) {
        StringBuilder text = new StringBuilder();
        for (Message message : messages) {
            switch (message) {
                case Message.User user -> add(text, "user", user.text());
                case Message.Assistant assistant -> {
                    add(text, "assistant", assistant.text());
                    for (ToolCall call : assistant.calls()) {
                        String name = ToolName.fit(call.name());
                        add(text, "assistant calls " + name, call.arguments());
                    }
                }
                case Message.ToolResult result -> {
                    String how = result.isError() ? " failed" : " returned";
                    add(text, ToolName.fit(result.tool()) + how, result.text());
                }
            }
        }
        return Excerpt.ends(text.toString(), mostBytes);
    }

    private static void add(StringBuilder text, String who, String said) {
        if (!said.isBlank()) {
            text.append(turn(who, said.strip())).append("\n\n");
        }
    }
}
