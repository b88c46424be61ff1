package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Our messages as those of LangChain4j, and back. */
final class LangChainMessages {

    private LangChainMessages() {}

    static ChatRequest request(Prompt prompt) {
        List<ChatMessage> messages = new ArrayList<>();
        if (!prompt.instructions().isBlank()) {
            messages.add(SystemMessage.from(prompt.instructions()));
        }
        prompt.messages().forEach(message -> messages.add(message(message)));
        ChatRequest.Builder builder =
                ChatRequest.builder().messages(messages).maxOutputTokens(prompt.mostTokens());
        if (!prompt.tools().isEmpty()) {
            builder.toolSpecifications(
                    prompt.tools().stream().map(LangChainMessages::tool).toList());
        }
        prompt.output().ifPresent(schema -> builder.responseFormat(format(schema)));
        return builder.build();
    }

    private static ChatMessage message(Message message) {
        return switch (message) {
            // An empty text is refused, by the clients and by most vendors.
            case Message.User user -> UserMessage.from(some(user.text()));
            case Message.Assistant assistant ->
                    assistant.calls().isEmpty()
                            ? AiMessage.from(some(assistant.text()))
                            : AiMessage.builder()
                                    .text(assistant.text().isBlank() ? null : assistant.text())
                                    .toolExecutionRequests(
                                            assistant.calls().stream()
                                                    .map(LangChainMessages::call)
                                                    .toList())
                                    .build();
            case Message.ToolResult result ->
                    ToolExecutionResultMessage.builder()
                            .id(result.call())
                            .toolName(result.tool())
                            .text(some(result.text()))
                            .isError(result.isError())
                            .build();
        };
    }

    private static String some(String text) {
        return text.isBlank() ? "(nothing)" : text;
    }

    private static ToolExecutionRequest call(ToolCall call) {
        return ToolExecutionRequest.builder()
                .id(call.id())
                .name(call.name())
                .arguments(call.arguments())
                .build();
    }

    private static ToolSpecification tool(ToolOffer offer) {
        return ToolSpecification.builder()
                .name(offer.name())
                .description(offer.description())
                .parameters(object(offer.parameters()))
                .build();
    }

    private static JsonObjectSchema object(JsonNode schema) {
        JsonObjectSchema.Builder object = JsonObjectSchema.builder();
        schema.path("properties")
                .properties()
                .forEach(property ->
                        object.addProperty(
                                property.getKey(),
                                JsonRawSchema.from(property.getValue().toString())));
        object.required(schema.path("required").valueStream().map(JsonNode::asText).toList());
        return object.additionalProperties(false).build();
    }

    private static ResponseFormat format(JsonNode schema) {
        return ResponseFormat.builder()
                .type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder().name("answer").rootElement(object(schema)).build())
                .build();
    }

    static Message.Assistant assistant(AiMessage message) {
        List<ToolCall> calls = new ArrayList<>();
        if (message.hasToolExecutionRequests()) {
            message.toolExecutionRequests()
                    .forEach(request ->
                            calls.add(
                                    new ToolCall(
                                            request.id() == null
                                                    ? UUID.randomUUID().toString()
                                                    : request.id(),
                                            request.name() == null ? "" : request.name(),
                                            request.arguments() == null
                                                    ? ""
                                                    : request.arguments())));
        }
        return new Message.Assistant(message.text() == null ? "" : message.text(), calls);
    }
}
