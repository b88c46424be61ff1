package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A small server that speaks the wire format of OpenSandbox; its boxes are jails, so that programs
 * really run. It can be told to answer wrongly.
 */
final class BoxServer implements AutoCloseable {

    static final String KEY = "a-key-that-nobody-may-see";
    static final String SCRATCH = "/tmp/scratch";

    static {
        // Its own answers would wait for acknowledgements, 40 ms each.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** A wrong answer; true if it was given. */
    interface Trick {
        boolean play(HttpExchange exchange, String path) throws IOException;
    }

    record Held(Sandbox box, JsonNode request, Instant created) {}

    final Map<String, Held> boxes = new ConcurrentHashMap<>();
    final List<String> renewed = new CopyOnWriteArrayList<>();
    final List<String> keys = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer http;
    volatile Trick trick = (exchange, path) -> false;

    BoxServer() {
        try {
            http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        http.setExecutor(threads);
        http.createContext("/", this::handle);
        http.start();
    }

    String authority() {
        return "127.0.0.1:" + http.getAddress().getPort();
    }

    Settings settings() {
        return new Settings(URI.create("http://" + authority() + "/"), KEY, "image", SCRATCH);
    }

    OpenSandboxTier tier() {
        return new OpenSandboxTier(() -> Optional.of(settings()));
    }

    private void handle(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        try (exchange) {
            String key = exchange.getRequestHeaders().getFirst("OPEN-SANDBOX-API-KEY");
            keys.add(String.valueOf(key));
            if (trick.play(exchange, path)) {
                return;
            }
            if (path.startsWith("/v1/") && !KEY.equals(key)) {
                refuse(exchange, 401, "UNAUTHORIZED");
            } else if (path.startsWith("/v1/sandboxes")) {
                lifecycle(exchange, path.substring("/v1/sandboxes".length()));
            } else if (path.matches("/sandboxes/[^/]+/proxy/[0-9]+/.*")) {
                String[] parts = path.split("/", 6);
                inside(exchange, parts[2], Integer.parseInt(parts[4]), "/" + parts[5]);
            } else {
                refuse(exchange, 404, "NOT_FOUND");
            }
        }
    }

    private void lifecycle(HttpExchange exchange, String rest) throws IOException {
        String method = exchange.getRequestMethod();
        String[] parts = rest.split("/");
        if (rest.isEmpty() && method.equals("POST")) {
            create(exchange);
        } else if (rest.isEmpty()) {
            list(exchange);
        } else if (!boxes.containsKey(parts[1])) {
            refuse(exchange, 404, "DOCKER::SANDBOX_NOT_FOUND");
        } else if (parts.length == 2 && method.equals("DELETE")) {
            Held held = boxes.remove(parts[1]);
            if (held != null) {
                held.box().close();
            }
            exchange.sendResponseHeaders(204, -1);
        } else if (parts.length == 2) {
            answer(exchange, 200, describe(parts[1]));
        } else if (parts[2].equals("renew-expiration")) {
            JsonNode request = Wire.JSON.readTree(exchange.getRequestBody().readAllBytes());
            renewed.add(parts[1]);
            answer(exchange, 200, request);
        } else if (parts[2].equals("endpoints")) {
            String place = authority() + "/sandboxes/" + parts[1] + "/proxy/" + parts[3];
            answer(exchange, 200, Wire.JSON.createObjectNode().put("endpoint", place));
        } else {
            refuse(exchange, 404, "NOT_FOUND");
        }
    }

    private void create(HttpExchange exchange) throws IOException {
        JsonNode request = Wire.JSON.readTree(exchange.getRequestBody().readAllBytes());
        JsonNode asked = request.path("resourceLimits");
        Policy policy =
                Policy.denyAll()
                        .wall(Duration.ofHours(1))
                        .cpuTime(Duration.ofHours(1))
                        .cpus(cpus(asked))
                        .memory(Bytes.parse(asked.path("memory").asText().replace("Mi", "MiB")))
                        .processes(600)
                        .disk(Bytes.mebibytes(256))
                        .openFiles(4096)
                        .output(Bytes.mebibytes(1024));
        String id = UUID.randomUUID().toString();
        boxes.put(id, new Held(Sandboxes.openTier("jail", policy), request, Instant.now()));
        answer(exchange, 202, describe(id));
    }

    static double cpus(JsonNode asked) {
        String text = asked.path("cpu").asText();
        return text.endsWith("m")
                ? Double.parseDouble(text.substring(0, text.length() - 1)) / 1000
                : Double.parseDouble(text);
    }

    private ObjectNode describe(String id) {
        Held held = boxes.get(id);
        ObjectNode node = Wire.JSON.createObjectNode().put("id", id);
        if (held != null) {
            node.set("image", held.request().path("image"));
            node.set("metadata", held.request().path("metadata"));
            node.set("entrypoint", held.request().path("entrypoint"));
            node.put("createdAt", held.created().toString());
            node.put("expiresAt", held.created().plusSeconds(120).toString());
        }
        node.putObject("status").put("state", held == null ? "Terminated" : "Running");
        return node;
    }

    private void list(HttpExchange exchange) throws IOException {
        String filter = query(exchange).getOrDefault("metadata", "");
        ObjectNode answer = Wire.JSON.createObjectNode();
        ArrayNode items = answer.putArray("items");
        for (String id : boxes.keySet()) {
            ObjectNode box = describe(id);
            String[] pair = filter.split("=", 2);
            if (filter.isEmpty() || box.path("metadata").path(pair[0]).asText().equals(pair[1])) {
                items.add(box);
            }
        }
        answer.putObject("pagination")
                .put("page", 1)
                .put("pageSize", 100)
                .put("totalItems", items.size())
                .put("totalPages", 1)
                .put("hasNextPage", false);
        answer(exchange, 200, answer);
    }

    private void inside(HttpExchange exchange, String id, int port, String path)
            throws IOException {
        Held held = boxes.get(id);
        if (held == null) {
            refuse(exchange, 404, "DOCKER::SANDBOX_NOT_FOUND");
        } else if (port == 18080 && path.equals("/policy")) {
            ObjectNode answer = Wire.JSON.createObjectNode();
            answer.put("status", "ok").put("mode", "deny_all").put("enforcementMode", "dns+nft");
            answer.set("policy", held.request().path("networkPolicy"));
            answer(exchange, 200, answer);
        } else {
            new BoxInside(held, exchange).answer(path);
        }
    }

    static Map<String, String> query(HttpExchange exchange) {
        Map<String, String> found = new HashMap<>();
        String raw = exchange.getRequestURI().getRawQuery();
        if (raw != null) {
            for (String pair : raw.split("&")) {
                String[] both = pair.split("=", 2);
                found.put(both[0], URLDecoder.decode(both[1], StandardCharsets.UTF_8));
            }
        }
        return found;
    }

    static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
        answer(exchange, status, Wire.JSON.writeValueAsBytes(body), "application/json");
    }

    static void answer(HttpExchange exchange, int status, byte[] body, String type)
            throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("X-Request-ID", UUID.randomUUID().toString());
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
    }

    static void refuse(HttpExchange exchange, int status, String code) throws IOException {
        answer(
                exchange,
                status,
                Wire.JSON.createObjectNode().put("code", code).put("message", "refused"));
    }

    /** As a crash does: nobody answers any more, and what was open breaks. */
    void die() {
        http.stop(0);
    }

    @Override
    public void close() {
        http.stop(0);
        boxes.values().forEach(held -> held.box().close());
        boxes.clear();
        threads.shutdownNow();
    }
}
