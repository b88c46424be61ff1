package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;

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

    /**
     * What the model says, and which tools it wants to be called.
     *
     * @param signature what the model wants to see again with its calls
     */
    @JsonTypeName("assistant")
    record Assistant(String text, List<ToolCall> calls, Optional<Signature> signature)
            implements Message {

        public Assistant {
            calls = List.copyOf(calls);
        }

        public Assistant(String text, List<ToolCall> calls) {
            this(text, calls, Optional.empty());
        }

        public static Assistant of(String text) {
            return new Assistant(text, List.of());
        }

        /** The same with other words. */
        Assistant saying(String other) {
            return new Assistant(other, calls, signature);
        }

        /** The same with its calls written in another way. */
        Assistant calling(List<ToolCall> others) {
            return new Assistant(text, others, signature);
        }
    }

    /**
     * What a model thought, in a form that only its vendor reads, or in plain words. It goes back
     * to the model that wrote it, and to nobody else.
     *
     * @param model the name of the model
     */
    record Signature(String model, String text) {

        /** Whether guardrails can read it: what they cannot goes back as it is. */
        boolean isInWords() {
            return model.startsWith(ModelSpec.Vendor.OPENAI.word() + ":");
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
