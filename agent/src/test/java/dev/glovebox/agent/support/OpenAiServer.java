package dev.glovebox.agent.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.ToolCall;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Speaks the format of OpenAI's chat completions, and takes turns in no other order than the models
 * that are strictest with it, such as Mistral's.
 */
public final class OpenAiServer extends VendorServer {

    private static final int LONGEST_ID = 40;

    private OpenAiServer(Script script) {
        super(script);
    }

    public static OpenAiServer start(Turn... turns) {
        return start(Script.of(turns));
    }

    public static OpenAiServer start(Script script) {
        OpenAiServer server = new OpenAiServer(script);
        server.listen();
        return server;
    }

    private static ObjectNode chunk() {
        return JSON.createObjectNode()
                .put("id", "chatcmpl-1")
                .put("object", "chat.completion.chunk")
                .put("created", 1_700_000_000)
                .put("model", "test");
    }

    private static String delta(ObjectNode delta, String finish) {
        ObjectNode chunk = chunk();
        ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
        choice.set("delta", delta);
        if (finish.isEmpty()) {
            choice.putNull("finish_reason");
        } else {
            choice.put("finish_reason", finish);
        }
        return event("", chunk);
    }

    @Override
    Optional<String> complaint(JsonNode request) {
        List<JsonNode> calls =
                request.path("messages")
                        .valueStream()
                        .flatMap(message -> message.path("tool_calls").valueStream())
                        .toList();
        return unfit(calls.stream().map(call -> call.at("/function/name")).toList())
                .or(() ->
                        calls.stream()
                                .map(call -> call.path("id").asText())
                                .filter(id -> id.isEmpty() || id.length() > LONGEST_ID)
                                .map(id -> "tool_calls: '" + id + "' is no id")
                                .findFirst())
                .or(() -> turns(request.path("messages")));
    }

    private static Optional<String> turns(JsonNode messages) {
        Set<String> open = new HashSet<>();
        String before = "system";
        for (JsonNode message : messages) {
            String role = message.path("role").asText();
            boolean fits =
                    switch (role) {
                        case "user" -> before.equals("system") || before.equals("assistant");
                        case "assistant" -> before.equals("user") || before.equals("tool");
                        case "tool" -> open.remove(message.path("tool_call_id").asText());
                        default -> before.equals("system");
                    };
            if (!fits || (!role.equals("tool") && !open.isEmpty())) {
                return Optional.of("Unexpected role '" + role + "' after role '" + before + "'");
            }
            message.path("tool_calls").forEach(call -> open.add(call.path("id").asText()));
            before = role;
        }
        return Optional.empty();
    }

    @Override
    List<String> events(Turn.Says says) {
        return events(
                says, says.isCut() ? "length" : says.calls().isEmpty() ? "stop" : "tool_calls");
    }

    @Override
    List<String> filtered(String beginning) {
        return events(new Turn.Says(beginning, List.of(), false), "content_filter");
    }

    private static List<String> events(Turn.Says says, String finish) {
        List<String> events = new ArrayList<>();
        events.add(delta(JSON.createObjectNode().put("role", "assistant").put("content", ""), ""));
        for (int i = 0; i < says.text().length(); i += 5) {
            String part = says.text().substring(i, Math.min(i + 5, says.text().length()));
            events.add(delta(JSON.createObjectNode().put("content", part), ""));
        }
        for (int i = 0; i < says.calls().size(); i++) {
            ToolCall call = says.calls().get(i);
            ObjectNode begin = JSON.createObjectNode();
            begin.putArray("tool_calls")
                    .addObject()
                    .put("index", i)
                    .put("id", call.id())
                    .put("type", "function")
                    .putObject("function")
                    .put("name", call.name())
                    .put("arguments", "");
            events.add(delta(begin, ""));
            ObjectNode rest = JSON.createObjectNode();
            rest.putArray("tool_calls")
                    .addObject()
                    .put("index", i)
                    .putObject("function")
                    .put("arguments", call.arguments());
            events.add(delta(rest, ""));
        }
        events.add(delta(JSON.createObjectNode(), finish));
        ObjectNode usage = chunk();
        usage.putArray("choices");
        ObjectNode counts =
                usage.putObject("usage")
                        .put("prompt_tokens", 100)
                        .put("completion_tokens", 20)
                        .put("total_tokens", 120);
        counts.putObject("prompt_tokens_details").put("cached_tokens", 60);
        counts.putObject("completion_tokens_details").put("reasoning_tokens", 5);
        events.add(event("", usage));
        events.add("data: [DONE]\n\n");
        return events;
    }

    @Override
    List<String> refusal(String why) {
        return List.of(
                delta(JSON.createObjectNode().put("role", "assistant"), ""),
                delta(JSON.createObjectNode().put("refusal", why), ""),
                delta(JSON.createObjectNode(), "stop"),
                "data: [DONE]\n\n");
    }

    @Override
    String broken(String message) {
        return framed(failure(500, message));
    }

    @Override
    String failure(int status, String message) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error").put("message", message).put("type", "error").putNull("code");
        return body.toString();
    }
}
