package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.ModelSpec.Vendor;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.ChatMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.ChatRequestParameters;
import dev.langchain4j.model.chat.request.ResponseFormat;
import dev.langchain4j.model.chat.request.ResponseFormatType;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Our messages as those of LangChain4j, and back. */
final class LangChainMessages {

    // Their names begin so wherever they are.
    private static final Pattern NEW = Pattern.compile("^(?:.*/)?(?:gpt-5|o\\d)");

    // Where the client of Google has it, and what Google has models told of calls of others.
    private static final String SIGNATURE = "thinking_signature";
    private static final String OF_ANOTHER = "skip_thought_signature_validator";
    private static final Pattern UNSIGNED = Pattern.compile("gemini-[12]\\b|gemma");

    private static final String DEFINITIONS = "$defs";
    private static final String OLD = "#/definitions/";

    private LangChainMessages() {}

    /** A question as the client of a vendor takes it. */
    static ChatRequest request(Prompt prompt, ModelSpec spec) {
        return request(prompt, spec, isNew(spec));
    }

    /**
     * The same.
     *
     * @param isNew whether the limit of an answer has its newer name
     */
    static ChatRequest request(Prompt prompt, ModelSpec spec, boolean isNew) {
        List<ChatMessage> messages = new ArrayList<>();
        if (!prompt.instructions().isBlank()) {
            messages.add(SystemMessage.from(prompt.instructions()));
        }
        inTurn(prompt.messages()).forEach(message -> messages.add(message(message, spec)));
        ChatRequest.Builder builder =
                ChatRequest.builder().messages(messages).parameters(length(prompt, isNew));
        boolean isGoogle = spec.vendor() == Vendor.GOOGLE;
        if (!prompt.tools().isEmpty()) {
            builder.toolSpecifications(
                    prompt.tools().stream().map(offer -> tool(offer, isGoogle)).toList());
        }
        prompt.output()
                .map(schema ->
                        spec.vendor() == Vendor.ANTHROPIC
                                ? SchemaLimits.none(schema)
                                : SchemaLimits.small(schema))
                .ifPresent(schema ->
                        builder.responseFormat(
                                format(
                                        isGoogle
                                                ? JsonRawSchema.from(schema.toString())
                                                : object(schema))));
        return builder.build();
    }

    /**
     * In the order that all take. A user begins; models such as Gemma and Mistral's refuse a second
     * turn of a user behind another one, and Mistral's also one behind the result of a tool: where
     * a run ended there, its model said nothing to it.
     */
    private static List<Message> inTurn(List<Message> messages) {
        List<Message> turns = new ArrayList<>();
        Message last = Message.Assistant.of("");
        for (Message message : messages) {
            if (message instanceof Message.User more && last instanceof Message.User before) {
                turns.removeLast();
                last = new Message.User(before.text() + "\n\n" + more.text());
            } else {
                if (message instanceof Message.User && last instanceof Message.ToolResult) {
                    turns.add(Message.Assistant.of(""));
                } else if (message instanceof Message.Assistant && turns.isEmpty()) {
                    turns.add(new Message.User(""));
                }
                last = message;
            }
            turns.add(last);
        }
        return turns;
    }

    /** OpenAI's newer models know one name for the limit, and servers like OpenAI's the older. */
    static boolean isNew(ModelSpec spec) {
        return spec.vendor() == Vendor.OPENAI
                && (spec.address().isEmpty() || NEW.matcher(spec.model()).find());
    }

    private static ChatRequestParameters length(Prompt prompt, boolean isNew) {
        return isNew
                ? OpenAiChatRequestParameters.builder()
                        .maxCompletionTokens(prompt.mostTokens())
                        .build()
                : ChatRequestParameters.builder().maxOutputTokens(prompt.mostTokens()).build();
    }

    /** The same question with the schema of its answer in words, for those who take no other. */
    static Prompt spelledOut(Prompt prompt) {
        String schema = prompt.output().map(SchemaLimits::small).map(JsonNode::toString).orElse("");
        return new Prompt(
                "%s%n%nYour last answer must be JSON, and nothing else, of this schema:%n%s"
                        .formatted(prompt.instructions(), schema)
                        .strip(),
                prompt.messages(),
                prompt.tools(),
                Optional.empty(),
                prompt.mostTokens());
    }

    static boolean saysBesideCalls(Prompt prompt) {
        return prompt.messages().stream().anyMatch(LangChainMessages::saysBesideCalls);
    }

    private static boolean saysBesideCalls(Message message) {
        return message instanceof Message.Assistant said
                && !said.calls().isEmpty()
                && !said.text().isBlank();
    }

    /** The same question without what was said beside calls. */
    static Prompt withCallsAlone(Prompt prompt) {
        return new Prompt(
                prompt.instructions(),
                prompt.messages().stream()
                        .map(message ->
                                message instanceof Message.Assistant said && saysBesideCalls(said)
                                        ? said.saying("")
                                        : message)
                        .toList(),
                prompt.tools(),
                prompt.output(),
                prompt.mostTokens());
    }

    private static ChatMessage message(Message message, ModelSpec spec) {
        return switch (message) {
            // An empty text is refused, by the clients and by most vendors.
            case Message.User user -> UserMessage.from(some(user.text()));
            case Message.Assistant assistant ->
                    assistant.calls().isEmpty()
                            ? AiMessage.from(some(assistant.text()))
                            : AiMessage.builder()
                                    .text(assistant.text().isBlank() ? null : assistant.text())
                                    .thinking(thought(assistant, spec))
                                    .toolExecutionRequests(
                                            assistant.calls().stream()
                                                    .map(LangChainMessages::call)
                                                    .toList())
                                    .attributes(signature(assistant, spec))
                                    .build();
            case Message.ToolResult result ->
                    ToolExecutionResultMessage.builder()
                            .id(ToolName.fit(result.call()))
                            .toolName(ToolName.fit(result.tool()))
                            .text(some(result.text()))
                            .isError(result.isError())
                            .build();
        };
    }

    /** Google's models refuse calls without one, but for those that they did not make. */
    private static Map<String, Object> signature(Message.Assistant message, ModelSpec spec) {
        if (spec.vendor() != Vendor.GOOGLE) {
            return Map.of();
        }
        return own(message, spec)
                .or(() ->
                        UNSIGNED.matcher(spec.model()).find()
                                ? Optional.empty()
                                : Optional.of(OF_ANOTHER))
                .<Map<String, Object>>map(text -> Map.of(SIGNATURE, text))
                .orElse(Map.of());
    }

    /** DeepSeek and Kimi refuse calls without what their models thought before. */
    private static @Nullable String thought(Message.Assistant message, ModelSpec spec) {
        return spec.vendor() == Vendor.OPENAI ? own(message, spec).orElse(null) : null;
    }

    private static Optional<String> own(Message.Assistant message, ModelSpec spec) {
        return message.signature()
                .filter(own -> own.model().equals(spec.name()))
                .map(Message.Signature::text);
    }

    private static String some(String text) {
        return text.isBlank() ? "(nothing)" : text;
    }

    private static ToolExecutionRequest call(ToolCall call) {
        return ToolExecutionRequest.builder()
                .id(ToolName.fit(call.id()))
                .name(ToolName.fit(call.name()))
                .arguments(arguments(call.arguments()))
                .build();
    }

    /** Most clients and vendors take an object only, and fail on what some model wrote else. */
    private static String arguments(String written) {
        String some = written.isBlank() ? "{}" : written;
        return switch (JsonText.read(some)) {
            case JsonText.Read.Tree(ObjectNode object) -> some;
            case JsonText.Read other ->
                    JsonNodeFactory.instance.objectNode().put("unreadable", written).toString();
        };
    }

    private static ToolSpecification tool(ToolOffer offer, boolean isGoogle) {
        ToolSpecification.Builder tool =
                ToolSpecification.builder().name(offer.name()).description(offer.description());
        if (isGoogle) {
            // An object without members is refused there.
            return offer.parameters().path("properties").isEmpty()
                    ? tool.build()
                    : tool.parameters(GoogleSchema.of(offer.parameters())).build();
        }
        return tool.parameters(object(SchemaLimits.small(offer.parameters()))).build();
    }

    private static JsonObjectSchema object(JsonNode schema) {
        Map<String, JsonSchemaElement> definitions = members(schema.path("definitions"));
        definitions.putAll(members(schema.path(DEFINITIONS)));
        return JsonObjectSchema.builder()
                .addProperties(members(schema.path("properties")))
                .required(schema.path("required").valueStream().map(JsonNode::asText).toList())
                .definitions(definitions)
                .additionalProperties(false)
                .build();
    }

    private static Map<String, JsonSchemaElement> members(JsonNode schemas) {
        Map<String, JsonSchemaElement> members = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> schema : schemas.properties()) {
            members.put(schema.getKey(), JsonRawSchema.from(raw(schema.getValue()).toString()));
        }
        return members;
    }

    private static JsonNode raw(JsonNode schema) {
        if (schema.isBoolean()) {
            // LangChain4j takes objects only.
            ObjectNode anything = JsonNodeFactory.instance.objectNode();
            return schema.booleanValue() ? anything : anything.set("not", anything.objectNode());
        }
        JsonNode copy = schema.deepCopy();
        copy.findParents("$ref").forEach(parent -> renew((ObjectNode) parent));
        return copy;
    }

    /** Older schemas have their definitions where LangChain4j puts none. */
    private static void renew(ObjectNode parent) {
        String reference = parent.path("$ref").asText();
        if (reference.startsWith(OLD)) {
            parent.put("$ref", "#/" + DEFINITIONS + "/" + reference.substring(OLD.length()));
        }
    }

    private static ResponseFormat format(JsonSchemaElement schema) {
        return ResponseFormat.builder()
                .type(ResponseFormatType.JSON)
                .jsonSchema(JsonSchema.builder().name("answer").rootElement(schema).build())
                .build();
    }

    /** Google leaves them out of calls that have none, and its client says so. */
    private static String written(@Nullable String arguments) {
        return arguments == null || arguments.equals("null") ? "" : arguments;
    }

    static Message.Assistant assistant(AiMessage message, ModelSpec spec) {
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
                                            written(request.arguments()))));
        }
        Optional<Message.Signature> signature =
                Optional.ofNullable(thought(message, spec))
                        .filter(text -> !calls.isEmpty() && !text.isEmpty())
                        .map(text -> new Message.Signature(spec.name(), text));
        return new Message.Assistant(
                message.text() == null ? "" : message.text(), calls, signature);
    }

    private static @Nullable String thought(AiMessage message, ModelSpec spec) {
        return switch (spec.vendor()) {
            case GOOGLE -> message.attribute(SIGNATURE, String.class);
            case OPENAI -> message.thinking();
            case ANTHROPIC, OLLAMA -> null;
        };
    }
}
