package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes what exporters send, and keeps it as it is. */
final class Collector implements AutoCloseable {

    private final HttpServer server;
    private final List<String> spans = new CopyOnWriteArrayList<>();
    private final List<String> metrics = new CopyOnWriteArrayList<>();

    Collector() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        take("/v1/traces", spans);
        take("/v1/metrics", metrics);
        server.start();
    }

    private void take(String path, List<String> into) {
        server.createContext(
                path,
                exchange -> {
                    try (exchange) {
                        into.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
                        exchange.sendResponseHeaders(200, -1);
                    }
                });
    }

    /** The spans, in which texts stand as they are. */
    String spans() {
        return String.join("", spans);
    }

    /** The metrics, in the same way. */
    String metrics() {
        return String.join("", metrics);
    }

    /** The variables that send to it. */
    Map<String, String> environment() {
        return Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", address());
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
