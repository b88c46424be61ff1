package dev.glovebox.agent.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.glovebox.agent.ToolCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Speaks the format of Google's generative language, and wants its thoughts back as its newest
 * models do: the first call of an answer has a signature, and who sends it back without is refused.
 */
public final class GoogleServer extends VendorServer {

    private static final String SIGNATURE = "thoughtSignature";
    private static final String CALL = "functionCall";
    private static final String RESULT = "functionResponse";

    /** What Google has others say of calls that its model did not make. */
    private static final String OF_ANOTHER = "skip_thought_signature_validator";

    private final Map<String, String> signatures = new ConcurrentHashMap<>();

    private GoogleServer(Script script) {
        super(script);
    }

    public static GoogleServer start(Turn... turns) {
        return start(Script.of(turns));
    }

    public static GoogleServer start(Script script) {
        GoogleServer server = new GoogleServer(script);
        server.listen();
        return server;
    }

    private static ObjectNode part(ObjectNode chunk) {
        ObjectNode candidate = chunk.putArray("candidates").addObject().put("index", 0);
        return candidate.putObject("content").put("role", "model").putArray("parts").addObject();
    }

    @Override
    List<String> events(Turn.Says says) {
        return events(says, says.isCut() ? "MAX_TOKENS" : "STOP");
    }

    @Override
    List<String> filtered(String beginning) {
        return events(new Turn.Says(beginning, List.of(), false), "SAFETY");
    }

    private List<String> events(Turn.Says says, String finish) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < says.text().length(); i += 5) {
            ObjectNode chunk = JSON.createObjectNode();
            part(chunk)
                    .put("text", says.text().substring(i, Math.min(i + 5, says.text().length())));
            events.add(framed(chunk.toString()));
        }
        for (ToolCall call : says.calls()) {
            ObjectNode chunk = JSON.createObjectNode();
            ObjectNode part = part(chunk);
            if (call.equals(says.calls().getFirst())) {
                part.put(SIGNATURE, signature(call.name(), call));
            }
            part.putObject(CALL)
                    .put("id", call.id())
                    .put("name", call.name())
                    .set("args", arguments(call.arguments()));
            events.add(framed(chunk.toString()));
        }
        ObjectNode end = JSON.createObjectNode();
        // Nobody must send this one back.
        part(end).put("text", "").put(SIGNATURE, signature("", says));
        end.withObject("/candidates/0").put("finishReason", finish);
        end.put("modelVersion", "test").put("responseId", "response-1");
        end.putObject("usageMetadata")
                .put("promptTokenCount", 100)
                .put("cachedContentTokenCount", 60)
                .put("candidatesTokenCount", 15)
                .put("thoughtsTokenCount", 5)
                .put("totalTokenCount", 120);
        events.add(framed(end.toString()));
        return events;
    }

    /** Looks like a secret, as the real ones do. */
    private String signature(String tool, Record thought) {
        byte[] secret = new byte[96];
        new Random(thought.toString().hashCode()).nextBytes(secret);
        String signature = Base64.getEncoder().encodeToString(secret);
        signatures.put(signature, tool);
        return signature;
    }

    @Override
    Optional<String> complaint(JsonNode request) {
        for (JsonNode content : request.path("contents")) {
            Optional<JsonNode> first =
                    content.path("parts").valueStream().filter(part -> part.has(CALL)).findFirst();
            if (first.isPresent() && !isSigned(first.get())) {
                return Optional.of(
                        "Function call is missing a thought_signature in functionCall parts.");
            }
        }
        return turns(request.path("contents")).or(() -> unfit(names(request)));
    }

    private static List<JsonNode> names(JsonNode request) {
        return request.path("contents").findValues(CALL).stream()
                .map(call -> call.path("name"))
                .toList();
    }

    /** Behind a turn of a user comes one with calls, and behind that one with all their results. */
    private static Optional<String> turns(JsonNode contents) {
        for (int i = 0; i < contents.size(); i++) {
            int calls = count(contents.path(i), CALL);
            String before = i == 0 ? "" : contents.path(i - 1).path("role").asText();
            if (calls > 0 && !before.equals("user")) {
                return Optional.of(
                        "Please ensure that function call turn comes immediately after a user turn"
                                + " or after a function response turn.");
            }
            if (count(contents.path(i), RESULT) > 0 && !before.equals("model")) {
                return Optional.of(
                        "Please ensure that function response turn comes immediately after a"
                                + " function call turn.");
            }
            if (calls > 0
                    && i + 1 < contents.size()
                    && count(contents.path(i + 1), RESULT) != calls) {
                return Optional.of(
                        "Please ensure that the number of function response parts is equal to the"
                                + " number of function call parts of the function call turn.");
            }
        }
        return Optional.empty();
    }

    private static int count(JsonNode content, String kind) {
        return (int) content.path("parts").valueStream().filter(part -> part.has(kind)).count();
    }

    private boolean isSigned(JsonNode part) {
        String signature = part.path(SIGNATURE).asText();
        return signature.equals(OF_ANOTHER)
                || part.at("/functionCall/name").asText().equals(signatures.get(signature));
    }

    @Override
    List<String> refusal(String why) {
        ObjectNode chunk = JSON.createObjectNode();
        chunk.putObject("promptFeedback").put("blockReason", why);
        return List.of(framed(chunk.toString()));
    }

    @Override
    String broken(String message) {
        return framed(failure(503, message));
    }

    /** It says in the body when to come back, and has no header for that. */
    @Override
    void refuse(HttpExchange exchange, Turn.Fails fails) throws IOException {
        ObjectNode body = body(fails.status(), fails.body());
        fails.headers()
                .forEach((name, value) -> {
                    if (name.equals("Retry-After")) {
                        body.withArray("/error/details")
                                .addObject()
                                .put("@type", "type.googleapis.com/google.rpc.RetryInfo")
                                .put("retryDelay", value + "s");
                    } else {
                        exchange.getResponseHeaders().add(name, value);
                    }
                });
        send(exchange, fails.status(), body.toString());
    }

    @Override
    String failure(int status, String message) {
        return body(status, message).toString();
    }

    private static ObjectNode body(int status, String message) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error")
                .put("code", status)
                .put("message", message)
                .put("status", status == 429 ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE");
        return body;
    }
}
