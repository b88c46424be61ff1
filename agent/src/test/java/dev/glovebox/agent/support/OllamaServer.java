package dev.glovebox.agent.support;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.agent.ToolCall;
import java.util.ArrayList;
import java.util.List;

/** Speaks the format of Ollama: a line of JSON for each part of an answer. */
public final class OllamaServer extends VendorServer {

    private OllamaServer(Script script) {
        super(script);
    }

    public static OllamaServer start(Turn... turns) {
        return start(Script.of(turns));
    }

    public static OllamaServer start(Script script) {
        OllamaServer server = new OllamaServer(script);
        server.listen();
        return server;
    }

    private static ObjectNode line(String text) {
        ObjectNode line =
                JSON.createObjectNode()
                        .put("model", "test")
                        .put("created_at", "2025-01-22T11:22:42.180546Z");
        line.putObject("message").put("role", "assistant").put("content", text);
        return line.put("done", false);
    }

    @Override
    List<String> events(Turn.Says says) {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < says.text().length(); i += 5) {
            String part = says.text().substring(i, Math.min(i + 5, says.text().length()));
            events.add(framed(line(part).toString()));
        }
        for (ToolCall call : says.calls()) {
            ObjectNode line = line("");
            line.withObject("/message")
                    .putArray("tool_calls")
                    .addObject()
                    .put("id", call.id())
                    .putObject("function")
                    .put("name", call.name())
                    .set("arguments", arguments(call.arguments()));
            events.add(framed(line.toString()));
        }
        ObjectNode end =
                line("").put("done", true)
                        .put("done_reason", says.isCut() ? "length" : "stop")
                        .put("prompt_eval_count", 100)
                        .put("eval_count", 20);
        events.add(framed(end.toString()));
        return events;
    }

    /** It has no way to refuse: its models say so in words. */
    @Override
    List<String> refusal(String why) {
        throw new AssertionError("Ollama does not refuse");
    }

    @Override
    String broken(String message) {
        return framed(failure(500, message));
    }

    @Override
    String failure(int status, String message) {
        return JSON.createObjectNode().put("error", message).toString();
    }

    @Override
    String contentType() {
        return "application/x-ndjson";
    }

    @Override
    String framed(String text) {
        return text + "\n";
    }
}
