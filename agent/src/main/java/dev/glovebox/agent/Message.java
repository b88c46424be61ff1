package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;

/** One of the messages that a conversation with a model consists of. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
@JsonSubTypes({
    @JsonSubTypes.Type(Message.User.class),
    @JsonSubTypes.Type(Message.Assistant.class),
    @JsonSubTypes.Type(Message.ToolResult.class)
})
public sealed interface Message {

    String text();

    /** What a person, or another agent, says. */
    @JsonTypeName("user")
    record User(String text) implements Message {}

    /** What the model says, and which tools it wants to be called. */
    @JsonTypeName("assistant")
    record Assistant(String text, List<ToolCall> calls) implements Message {

        public Assistant {
            calls = List.copyOf(calls);
        }

        public static Assistant of(String text) {
            return new Assistant(text, List.of());
        }
    }

    /**
     * What came of calling a tool.
     *
     * @param call the id of the call
     * @param isError whether it is about what went wrong
     */
    @JsonTypeName("tool")
    record ToolResult(String call, String tool, String text, boolean isError) implements Message {}
}
