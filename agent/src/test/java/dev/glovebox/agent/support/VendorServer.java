package dev.glovebox.agent.support;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.glovebox.agent.ToolCall;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * A server on the loopback interface that speaks like a vendor, for the vendor's real client: it
 * answers from a script, in the vendor's stream of events.
 */
public abstract class VendorServer implements AutoCloseable {

    static final JsonMapper JSON = new JsonMapper();

    private static final Pattern NAME = Pattern.compile("^[a-zA-Z0-9_-]{1,64}$");

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Script script;
    private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
    private final List<String> paths = new CopyOnWriteArrayList<>();
    private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
    private final List<Throwable> problems = new CopyOnWriteArrayList<>();
    private final AtomicInteger open = new AtomicInteger();

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

    /** Where on this server somebody asked. */
    public final List<String> paths() {
        return List.copyOf(paths);
    }

    /** From where somebody asked: once for each connection. */
    public final Set<InetSocketAddress> connections() {
        return Set.copyOf(connections);
    }

    /** What went wrong here: what the vendor refuses, and more than its script has. */
    public final List<Throwable> problems() {
        return List.copyOf(problems);
    }

    /** What the vendor refuses a request for, whatever the script says. */
    Optional<String> complaint(JsonNode request) {
        return Optional.empty();
    }

    /** Some servers refuse a question that offers to go on in another protocol. */
    private static Optional<String> otherProtocol(HttpExchange exchange) {
        return Optional.ofNullable(exchange.getRequestHeaders().getFirst("Upgrade"))
                .map(protocol -> "Unsupported upgrade request: " + protocol);
    }

    /** What a vendor says of names or ids of calls that it does not take. */
    static Optional<String> unfit(List<JsonNode> words) {
        return words.stream()
                .map(JsonNode::asText)
                .filter(word -> !NAME.matcher(word).matches())
                .map(word -> "'" + word + "' does not match pattern '" + NAME + "'")
                .findFirst();
    }

    /** The events of an answer. */
    abstract List<String> events(Turn.Says says);

    /** The events of an answer that the vendor refuses to give. */
    abstract List<String> refusal(String why);

    /** The events of an answer that a filter ends, if the vendor has one. */
    List<String> filtered(String beginning) {
        throw new AssertionError("Nothing is filtered here");
    }

    /** The event of a failure in the middle of an answer. */
    abstract String broken(String message);

    /** What its streams are. */
    String contentType() {
        return "text/event-stream";
    }

    /** Something in the frame of an event. */
    String framed(String text) {
        return "data: " + text + "\n\n";
    }

    /** The body of a failure. */
    abstract String failure(int status, String message);

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            JsonNode request = JSON.readTree(exchange.getRequestBody().readAllBytes());
            requests.add(request);
            connections.add(exchange.getRemoteAddress());
            paths.add(exchange.getRequestURI().getPath());
            Optional<String> complaint = otherProtocol(exchange).or(() -> complaint(request));
            if (complaint.isPresent()) {
                problems.add(new AssertionError(complaint.get()));
                send(exchange, 400, failure(400, complaint.get()));
                return;
            }
            try {
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
    }

    private void answer(HttpExchange exchange, Turn turn) throws IOException, InterruptedException {
        switch (turn) {
            case Turn.Says says -> stream(exchange, String.join("", events(says)), true);
            case Turn.Fails fails -> refuse(exchange, fails);
            case Turn.Cut cut -> stream(exchange, half(cut.beginning()), false);
            case Turn.Ends ends -> stream(exchange, half(ends.beginning()), true);
            case Turn.Stops stops -> stream(exchange, before(stops.calls()), true);
            case Turn.Breaks breaks ->
                    stream(exchange, half(breaks.beginning()) + broken(breaks.message()), true);
            case Turn.Refuses refuses ->
                    stream(exchange, String.join("", refusal(refuses.why())), true);
            case Turn.Filters filters ->
                    stream(exchange, String.join("", filtered(filters.beginning())), true);
            case Turn.Endless endless -> endless(exchange);
            case Turn.Holds holds -> {
                Turn.Says says = new Turn.Says(holds.text(), List.of(), false);
                open.incrementAndGet();
                try {
                    stream(exchange, String.join("", events(says)), true);
                    hold(exchange.getResponseBody(), holds.time());
                } finally {
                    open.decrementAndGet();
                }
            }
            case Turn.Garbage garbage -> stream(exchange, framed(garbage.text()), true);
            case Turn.Slow slow -> throw new AssertionError(slow);
        }
    }

    /** Refuses, and says more in headers. */
    void refuse(HttpExchange exchange, Turn.Fails fails) throws IOException {
        fails.headers().forEach(exchange.getResponseHeaders()::add);
        send(exchange, fails.status(), failure(fails.status(), fails.body()));
    }

    private String before(List<ToolCall> calls) {
        List<String> some = events(new Turn.Says("", calls, false));
        List<String> none = events(new Turn.Says("", List.of(), false));
        return String.join("", some.subList(0, (some.size() - none.size()) / 2 + 1));
    }

    private String half(String text) {
        List<String> events = events(new Turn.Says(text, List.of(), false));
        return String.join("", events.subList(0, events.size() / 2));
    }

    private void endless(HttpExchange exchange) throws IOException, InterruptedException {
        exchange.getResponseHeaders().add("Content-Type", contentType());
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        Turn.Says call = new Turn.Says("", List.of(new ToolCall("c", "add", "{")), false);
        List<String> events = events(call);
        open.incrementAndGet();
        try {
            while (true) {
                for (String event : events.subList(0, Math.max(1, events.size() - 2))) {
                    out.write(event.getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
                Thread.sleep(5);
            }
        } finally {
            open.decrementAndGet();
        }
    }

    /** Nobody listening any more only shows when something is said. */
    private static void hold(OutputStream out, Duration time)
            throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (System.nanoTime() - began < time.toNanos()) {
            out.write(' ');
            out.flush();
            Thread.sleep(5);
        }
    }

    /** How many answers that are endless, or held, somebody still listens to. */
    public final int listening() {
        return open.get();
    }

    private void stream(HttpExchange exchange, String events, boolean whole) throws IOException {
        byte[] bytes = events.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", contentType());
        // A length that is not reached is how a connection that was cut looks.
        exchange.sendResponseHeaders(200, whole ? 0 : bytes.length + 1_000L);
        OutputStream out = exchange.getResponseBody();
        out.write(bytes);
        out.flush();
    }

    static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    /** Arguments as an object, whatever a script would have a model say. */
    static JsonNode arguments(String text) {
        try {
            JsonNode json = JSON.readTree(text);
            return json.isObject() ? json : JSON.createObjectNode();
        } catch (JsonProcessingException e) {
            return JSON.createObjectNode();
        }
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
