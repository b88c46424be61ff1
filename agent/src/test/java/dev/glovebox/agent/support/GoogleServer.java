package dev.glovebox.agent.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.ToolCall;
import java.util.ArrayList;
import java.util.List;

/** Speaks the format of Google's generative language. */
public final class GoogleServer extends VendorServer {

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
        List<String> events = new ArrayList<>();
        for (int i = 0; i < says.text().length(); i += 5) {
            ObjectNode chunk = JSON.createObjectNode();
            part(chunk)
                    .put("text", says.text().substring(i, Math.min(i + 5, says.text().length())));
            events.add(framed(chunk.toString()));
        }
        for (ToolCall call : says.calls()) {
            ObjectNode chunk = JSON.createObjectNode();
            part(chunk)
                    .putObject("functionCall")
                    .put("id", call.id())
                    .put("name", call.name())
                    .set("args", arguments(call.arguments()));
            events.add(framed(chunk.toString()));
        }
        ObjectNode end = JSON.createObjectNode();
        end.putArray("candidates")
                .addObject()
                .put("finishReason", says.isCut() ? "MAX_TOKENS" : "STOP")
                .put("index", 0);
        end.putObject("usageMetadata")
                .put("promptTokenCount", 100)
                .put("cachedContentTokenCount", 60)
                .put("candidatesTokenCount", 15)
                .put("thoughtsTokenCount", 5)
                .put("totalTokenCount", 120);
        events.add(framed(end.toString()));
        return events;
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

    @Override
    String failure(int status, String message) {
        ObjectNode body = JSON.createObjectNode();
        body.putObject("error")
                .put("code", status)
                .put("message", message)
                .put("status", status == 429 ? "RESOURCE_EXHAUSTED" : "UNAVAILABLE");
        return body.toString();
    }
}
