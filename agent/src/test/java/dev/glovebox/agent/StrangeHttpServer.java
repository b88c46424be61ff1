package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * An MCP server by HTTP that misbehaves when it gets to some method, in the way that it is told.
 */
final class StrangeHttpServer implements AutoCloseable {

    private static final JsonMapper JSON = new JsonMapper();

    private final String method;
    private final String manner;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    StrangeHttpServer(String method, String manner) throws IOException {
        this.method = method;
        this.manner = manner;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/mcp?key=1");
    }

    /** The path of each request, its method, and what was in its header of authorization. */
    List<String> seen() {
        return List.copyOf(seen);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode message = JSON.readTree(exchange.getRequestBody().readAllBytes());
            String asked = message.path("method").asText(exchange.getRequestMethod());
            seen.add(
                    exchange.getRequestURI()
                            + " "
                            + asked
                            + " "
                            + exchange.getRequestHeaders().getFirst("Authorization"));
            if (asked.equals(method)) {
                misbehave(exchange, message);
            } else if (message.has("result")) {
                Thread.sleep(Duration.ofHours(1)); // it asked, and takes no answer
            } else {
                behave(exchange, asked, message);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void behave(HttpExchange exchange, String asked, JsonNode message)
            throws IOException {
        exchange.getResponseHeaders().add("Mcp-Session-Id", "a-session");
        switch (asked) {
            case "initialize" ->
                    json(
                            exchange,
                            message,
                            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},"
                                    + "\"serverInfo\":{\"name\":\"strange\",\"version\":\"1\"}}");
            case "tools/list" ->
                    json(
                            exchange,
                            message,
                            "{\"tools\":[{\"name\":\"act\",\"inputSchema\":{\"type\":\"object\"}}]}");
            case "tools/call" ->
                    json(
                            exchange,
                            message,
                            "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
            case "GET" -> exchange.sendResponseHeaders(405, -1);
            default -> exchange.sendResponseHeaders(202, -1);
        }
    }

    private void misbehave(HttpExchange exchange, JsonNode message)
            throws IOException, InterruptedException {
        switch (manner) {
            case "hangs" -> Thread.sleep(Duration.ofHours(1));
            case "redirects" -> {
                exchange.getResponseHeaders().add("Location", "/elsewhere");
                exchange.sendResponseHeaders(307, -1);
            }
            case "202", "204" -> exchange.sendResponseHeaders(Integer.parseInt(manner), -1);
            case "empty" -> {
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, -1);
            }
            case "html" -> send(exchange, 200, "text/html", "<html>no</html>");
            case "garbage" -> send(exchange, 200, "application/json", "{\"jsonrpc\":");
            case "other" -> send(exchange, 200, "application/json", "{\"a\":1}");
            case "list" -> send(exchange, 200, "application/json", "[]");
            case "null" -> send(exchange, 200, "application/json", "null");
            case "null-event" -> send(exchange, 200, "text/event-stream", "data: null\n\n");
            case "events" -> send(exchange, 200, "text/event-stream", "data: {\"jsonrpc\":\n\n");
            case "floods" -> flood(exchange, "application/json", "x".repeat(1 << 16));
            case "floods-events" -> flood(exchange, "text/event-stream", "x".repeat(1 << 16));
            case "floods-data" -> flood(exchange, "text/event-stream", "data: xxxxxxxxxxxxxxxxx\n");
            case "notifies" ->
                    flood(
                            exchange,
                            "text/event-stream",
                            "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"}\n\n");
            case "cuts" -> {
                exchange.getResponseHeaders().add("Content-Type", "application/json");
                exchange.sendResponseHeaders(200, 1000);
                exchange.getResponseBody().write('{');
            }
            case "asks" -> {
                exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
                for (int i = 0; i < 100; i++) {
                    event(exchange, "\"id\":" + i + ",\"method\":\"ping\"");
                }
                event(exchange, "\"method\":\"notifications/tools/list_changed\"");
                Thread.sleep(Duration.ofHours(1));
            }
            case "refuses" -> {
                ObjectNode refusal = JSON.createObjectNode().put("jsonrpc", "2.0");
                refusal.set("id", message.path("id"));
                refusal.putObject("error").put("code", -32602).put("message", "not you");
                send(exchange, 200, "application/json", refusal.toString());
            }
            default -> send(exchange, Integer.parseInt(manner), "text/plain", "no");
        }
    }

    private static void event(HttpExchange exchange, String members) throws IOException {
        String event = "event: message\ndata: {\"jsonrpc\":\"2.0\"," + members + "}\n\n";
        exchange.getResponseBody().write(event.getBytes(StandardCharsets.UTF_8));
        exchange.getResponseBody().flush();
    }

    private static void json(HttpExchange exchange, JsonNode message, String result)
            throws IOException {
        String answer =
                "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}"
                        .formatted(message.path("id"), result);
        send(exchange, 200, "application/json", answer);
    }

    private static void send(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void flood(HttpExchange exchange, String type, String water) throws IOException {
        exchange.getResponseHeaders().add("Content-Type", type);
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        byte[] bytes =
                water.repeat(1 + (1 << 16) / water.length()).getBytes(StandardCharsets.UTF_8);
        while (true) {
            out.write(bytes); // until the client has enough
        }
    }

    /** Is not there any more. */
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Override
    public void close() {
        stop();
    }
}
