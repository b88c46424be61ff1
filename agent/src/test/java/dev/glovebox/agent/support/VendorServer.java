package dev.glovebox.agent.support;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server on the loopback interface that speaks like a vendor, for the vendor's real client: it
 * answers from a script, in the vendor's stream of events.
 */
public abstract class VendorServer implements AutoCloseable {

    static final JsonMapper JSON = new JsonMapper();

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Script script;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<Throwable> problems = new CopyOnWriteArrayList<>();

    VendorServer(Script script) {
        this.script = script;
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to listen. */
    final void listen() {
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    /** Where clients find it. */
    public final URI address() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/v1");
    }

    /** What it was asked, as it came. */
    public final List<JsonNode> requests() {
        return List.copyOf(requests);
    }

    /** What went wrong here: that it was asked more than its script has. */
    public final List<Throwable> problems() {
        return List.copyOf(problems);
    }

    /** The events of an answer. */
    abstract List<String> events(Turn.Says says);

    /** The body of a failure. */
    abstract String failure(int status, String message);

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
            requests.add(request);
            Turn turn = script.next(request.toString());
            while (turn instanceof Turn.Slow slow) {
                Thread.sleep(slow.time());
                turn = slow.then();
            }
            answer(exchange, turn);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AssertionError e) {
            problems.add(e);
            send(exchange, 500, failure(500, String.valueOf(e.getMessage())));
        }
    }

    private void answer(HttpExchange exchange, Turn turn) throws IOException {
        switch (turn) {
            case Turn.Says says -> stream(exchange, String.join("", events(says)), true);
            case Turn.Fails fails -> {
                fails.headers().forEach(exchange.getResponseHeaders()::add);
                send(exchange, fails.status(), failure(fails.status(), fails.body()));
            }
            case Turn.Cut cut -> {
                List<String> events = events(new Turn.Says(cut.beginning(), List.of(), false));
                stream(exchange, String.join("", events.subList(0, events.size() / 2)), false);
            }
            case Turn.Garbage garbage -> stream(exchange, "data: " + garbage.text() + "\n\n", true);
            case Turn.Slow slow -> throw new AssertionError(slow);
        }
    }

    private static void stream(HttpExchange exchange, String events, boolean whole)
            throws IOException {
        byte[] bytes = events.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "text/event-stream");
        // A length that is not reached is how a connection that was cut looks.
        exchange.sendResponseHeaders(200, whole ? 0 : bytes.length + 1_000L);
        OutputStream out = exchange.getResponseBody();
        out.write(bytes);
        out.flush();
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    static String event(String name, JsonNode data) {
        return (name.isEmpty() ? "" : "event: " + name + "\n") + "data: " + data + "\n\n";
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
