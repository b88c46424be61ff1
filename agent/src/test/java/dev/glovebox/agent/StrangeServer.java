package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** An MCP server that misbehaves, each time in the way that it is told. */
final class StrangeServer {

    private static final JsonMapper JSON = new JsonMapper();
    private static final PrintStream OUT =
            new PrintStream(System.out, true, StandardCharsets.UTF_8);

    private final String manner;
    private final String given;
    private int calls;
    private int pages;

    private StrangeServer(String manner, String given) {
        this.manner = manner;
        this.given = given;
    }

    /** Starts one of these. */
    static McpTools open(String manner, String given, McpOptions options) throws Exception {
        return McpTools.stdio(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StrangeServer.class.getName(),
                        manner,
                        given),
                Map.of(),
                options);
    }

    public static void main(String[] arguments) throws Exception {
        new StrangeServer(arguments[0], arguments[1]).serve();
    }

    private void serve() throws Exception {
        switch (manner) {
            case "dies" -> {
                System.err.println("no license \u001b[31mfound");
                System.exit(3);
            }
            case "floods" -> flood(OUT, Long.MAX_VALUE);
            case "babbles" -> flood(System.err, 8 << 20);
            case "greets" ->
                    OUT.println("Welcome!\n\n{}\n[1]\n{\"jsonrpc\":\"2.0\"}\n" + "[".repeat(5000));
            case "rambles" -> {
                while (true) {
                    OUT.println("{\"id\":17,\"level\":\"info\"}");
                }
            }
            case "stubborn" ->
                    Runtime.getRuntime()
                            .addShutdownHook(new Thread(() -> sleep(Duration.ofHours(1))));
            default -> {}
        }
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            answer(JSON.readTree(line));
        }
        if (manner.equals("stubborn")) {
            sleep(Duration.ofHours(1));
        }
    }

    private void answer(JsonNode message) throws Exception {
        String method = message.path("method").asText();
        if (manner.equals("hangs")) {
            Files.writeString(
                    Path.of(given),
                    message + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }
        if (!message.has("id") || method.isEmpty()) {
            return;
        }
        switch (method) {
            case "initialize" -> {
                if (!manner.equals("silent")) {
                    reply(
                            message,
                            manner.equals("bare") ? JSON.createObjectNode() : initialized(message));
                }
            }
            case "tools/list" -> reply(message, listed());
            case "tools/call" -> call(message);
            default -> throw new IllegalArgumentException(method);
        }
    }

    private static ObjectNode initialized(JsonNode message) {
        ObjectNode result = JSON.createObjectNode();
        result.set("protocolVersion", message.path("params").path("protocolVersion"));
        result.putObject("capabilities").putObject("tools").put("listChanged", true);
        result.putObject("serverInfo").put("name", "strange").put("version", "1");
        return result;
    }

    private ObjectNode listed() throws IOException {
        ObjectNode result = JSON.createObjectNode();
        ArrayNode tools = result.putArray("tools");
        if (manner.equals("lists")) {
            return (ObjectNode) JSON.readTree(given);
        }
        if (manner.equals("heavy")) {
            for (int i = 0; i < 10; i++) {
                tools.addObject()
                        .put("name", "act-" + pages + "-" + i)
                        .putObject("inputSchema")
                        .put("pattern", "x".repeat(60_000));
            }
            return result.put("nextCursor", "page-" + ++pages);
        }
        int count = manner.equals("many") ? 5000 : 1;
        for (int i = 0; i < count; i++) {
            tools.addObject()
                    .put("name", i == 0 ? (calls == 0 ? "act" : "act-" + calls) : "act" + i)
                    .putObject("inputSchema")
                    .put("type", "object");
        }
        if (manner.equals("endless")) {
            tools.removeAll();
            result.put("nextCursor", "more");
        }
        return result;
    }

    private void call(JsonNode message) throws Exception {
        calls++;
        switch (manner) {
            case "dies-in-call" -> System.exit(7);
            case "floods-in-call" -> flood(OUT, Long.MAX_VALUE);
            case "hangs" -> {}
            case "deaf" -> sleep(Duration.ofHours(1));
            case "slow" -> {
                sleep(Duration.ofSeconds(1));
                reply(message, text("done"));
            }
            case "errs" ->
                    OUT.println(
                            "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":%s,\"message\":\"no\"}}"
                                    .formatted(message.path("id"), given));
            case "says" -> reply(message, JSON.readTree(given));
            case "answers-and-dies" -> {
                reply(message, text("done"));
                System.exit(0);
            }
            case "changes" -> {
                for (int i = 0; i < 1000; i++) {
                    OUT.println(
                            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
                }
                reply(message, text("changed"));
            }
            case "asks" -> {
                for (int i = 0; i < 10_000; i++) {
                    OUT.println("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"ping\"}");
                }
                reply(message, text("asked"));
            }
            case "parent", "stubborn" -> {
                Process child = new ProcessBuilder("sleep", "3600").start();
                reply(message, text(ProcessHandle.current().pid() + " " + child.pid()));
            }
            default -> reply(message, text("done"));
        }
    }

    private static ObjectNode text(String text) {
        ObjectNode result = JSON.createObjectNode();
        result.putArray("content").addObject().put("type", "text").put("text", text);
        return result;
    }

    private static void reply(JsonNode message, JsonNode result) {
        ObjectNode reply = JSON.createObjectNode().put("jsonrpc", "2.0");
        reply.set("id", message.path("id"));
        reply.set("result", result);
        OUT.println(reply);
    }

    private static void flood(PrintStream out, long bytes) {
        byte[] water = "x".repeat(1 << 16).getBytes(StandardCharsets.UTF_8);
        for (long written = 0; written < bytes; written += water.length) {
            out.write(water, 0, water.length);
        }
    }

    private static void sleep(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
