package dev.glovebox.agent.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.ToolCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Speaks the format of Anthropic's messages. */
public final class AnthropicServer extends VendorServer {

    private AnthropicServer(Script script) {
        super(script);
    }

    public static AnthropicServer start(Turn... turns) {
        return start(Script.of(turns));
    }

    public static AnthropicServer start(Script script) {
        AnthropicServer server = new AnthropicServer(script);
        server.listen();
        return server;
    }

    private static String event(ObjectNode data) {
        return event(data.path("type").asText(), data);
    }

    private static ObjectNode node(String type) {
        return JSON.createObjectNode().put("type", type);
    }

    private static ObjectNode block(String type, int index) {
        return node(type).put("index", index);
    }

    @Override
    Optional<String> complaint(JsonNode request) {
        List<JsonNode> calls =
                request.path("messages")
                        .valueStream()
                        .flatMap(message -> message.path("content").valueStream())
                        .filter(part -> part.path("type").asText().equals("tool_use"))
                        .toList();
        List<JsonNode> ids = calls.stream().map(call -> call.path("id")).toList();
        return unfit(calls.stream().map(call -> call.path("name")).toList())
                .or(() -> unfit(ids))
                .or(() ->
                        Set.copyOf(ids).size() < ids.size()
                                ? Optional.of("messages: `tool_use` ids must be unique")
                                : Optional.empty())
                .or(() -> withoutCall(request, ids))
                .or(() -> limit(request));
    }

    private static Optional<String> withoutCall(JsonNode request, List<JsonNode> ids) {
        return request.path("messages").findValues("tool_use_id").stream()
                .filter(id -> !ids.contains(id))
                .map(id -> "messages: unexpected `tool_use_id` in `tool_result` blocks: " + id)
                .findFirst();
    }

    /** Of the schema of an answer it takes no limits. */
    private static Optional<String> limit(JsonNode request) {
        JsonNode schema = request.at("/output_config/format/schema");
        return Stream.of("minimum", "maximum", "maxLength", "maxItems", "uniqueItems")
                .filter(word -> schema.findValues(word).stream().anyMatch(JsonNode::isValueNode))
                .map(word -> "output_config.format.schema: '" + word + "' is not supported")
                .findFirst();
    }

    @Override
    List<String> events(Turn.Says says) {
        return events(
                says,
                says.isCut() ? "max_tokens" : says.calls().isEmpty() ? "end_turn" : "tool_use");
    }

    @Override
    List<String> refusal(String why) {
        return events(new Turn.Says(why, List.of(), false), "refusal");
    }

    @Override
    String broken(String message) {
        ObjectNode error = node("error");
        error.putObject("error").put("type", "overloaded_error").put("message", message);
        return event(error);
    }

    private static List<String> events(Turn.Says says, String stop) {
        List<String> events = new ArrayList<>();
        ObjectNode start = node("message_start");
        ObjectNode message =
                start.putObject("message")
                        .put("id", "msg_1")
                        .put("type", "message")
                        .put("role", "assistant")
                        .put("model", "test");
        message.putArray("content");
        message.putNull("stop_reason").putNull("stop_sequence");
        message.putObject("usage")
                .put("input_tokens", 30)
                .put("cache_read_input_tokens", 60)
                .put("cache_creation_input_tokens", 10)
                .put("output_tokens", 1);
        events.add(event(start));
        int index = 0;
        if (!says.text().isEmpty()) {
            ObjectNode begin = block("content_block_start", index);
            begin.putObject("content_block").put("type", "text").put("text", "");
            events.add(event(begin));
            for (int i = 0; i < says.text().length(); i += 5) {
                ObjectNode delta = block("content_block_delta", index);
                delta.putObject("delta")
                        .put("type", "text_delta")
                        .put(
                                "text",
                                says.text().substring(i, Math.min(i + 5, says.text().length())));
                events.add(event(delta));
            }
            events.add(event(block("content_block_stop", index++)));
        }
        for (ToolCall call : says.calls()) {
            ObjectNode begin = block("content_block_start", index);
            begin.putObject("content_block")
                    .put("type", "tool_use")
                    .put("id", call.id())
                    .put("name", call.name())
                    .putObject("input");
            events.add(event(begin));
            ObjectNode delta = block("content_block_delta", index);
            delta.putObject("delta")
                    .put("type", "input_json_delta")
                    .put("partial_json", call.arguments());
            events.add(event(delta));
            events.add(event(block("content_block_stop", index++)));
        }
        ObjectNode end = node("message_delta");
        end.putObject("delta").put("stop_reason", stop).putNull("stop_sequence");
        end.putObject("usage").put("output_tokens", 20);
        events.add(event(end));
        events.add(event(node("message_stop")));
        return events;
    }

    @Override
    String failure(int status, String message) {
        ObjectNode body = node("error");
        body.putObject("error").put("type", "error").put("message", message);
        return body.toString();
    }
}
