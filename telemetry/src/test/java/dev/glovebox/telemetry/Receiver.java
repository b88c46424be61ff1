package dev.glovebox.telemetry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;

/** A real receiver of OTLP over HTTP, on loopback, which can be well or ill. */
final class Receiver implements AutoCloseable {

    /** How it behaves. */
    enum Health {
        WELL,
        HANGS,
        UNAVAILABLE
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch ends = new CountDownLatch(1);
    private final List<ExportTraceServiceRequest> traces = new CopyOnWriteArrayList<>();
    private final List<ExportMetricsServiceRequest> metrics = new CopyOnWriteArrayList<>();
    private final Map<String, String> headers = new TreeMap<>();
    private volatile Health health;

    Receiver(Health health) throws IOException {
        this.health = health;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/v1/traces",
                exchange ->
                        take(exchange, in -> traces.add(ExportTraceServiceRequest.parseFrom(in))));
        server.createContext(
                "/v1/metrics",
                exchange ->
                        take(
                                exchange,
                                in -> metrics.add(ExportMetricsServiceRequest.parseFrom(in))));
        server.setExecutor(threads);
        server.start();
    }

    @FunctionalInterface
    private interface Taking {
        void from(InputStream in) throws IOException;
    }

    private void take(HttpExchange exchange, Taking taking) throws IOException {
        switch (health) {
            case WELL -> {
                boolean gzip =
                        "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
                InputStream body = exchange.getRequestBody();
                taking.from(gzip ? new GZIPInputStream(body) : body);
                synchronized (headers) {
                    exchange.getRequestHeaders()
                            .forEach((name, values) -> headers.put(name, values.getFirst()));
                }
                answer(exchange, 200);
            }
            case HANGS -> {
                try {
                    ends.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            case UNAVAILABLE -> answer(exchange, 503);
        }
    }

    private static void answer(HttpExchange exchange, int status) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    void becomes(Health other) {
        health = other;
    }

    String endpoint() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** The variables that send to it, with some more: name, value, name, value, … */
    Map<String, String> environment(String... more) {
        Map<String, String> variables = new HashMap<>();
        variables.put("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint());
        for (int i = 0; i < more.length; i += 2) {
            variables.put(more[i], more[i + 1]);
        }
        return variables;
    }

    String header(String name) {
        synchronized (headers) {
            return headers.getOrDefault(name, "");
        }
    }

    List<ResourceSpans> resourceSpans() {
        return traces.stream().flatMap(r -> r.getResourceSpansList().stream()).toList();
    }

    List<Span> spans() {
        return resourceSpans().stream()
                .flatMap(resource -> resource.getScopeSpansList().stream())
                .flatMap(scope -> scope.getSpansList().stream())
                .toList();
    }

    Span span(String name) {
        List<Span> named = spans().stream().filter(s -> s.getName().equals(name)).toList();
        if (named.size() != 1) {
            throw new AssertionError(
                    named.size()
                            + " spans "
                            + name
                            + " of "
                            + spans().stream().map(Span::getName).toList());
        }
        return named.getFirst();
    }

    /** The last state of a metric. */
    Metric metric(String name) {
        return latest(name).orElseThrow(() -> new AssertionError("no metric " + name));
    }

    boolean has(String metric) {
        return latest(metric).isPresent();
    }

    private Optional<Metric> latest(String name) {
        return metrics.stream()
                .flatMap(request -> request.getResourceMetricsList().stream())
                .flatMap(resource -> resource.getScopeMetricsList().stream())
                .flatMap(scope -> scope.getMetricsList().stream())
                .filter(metric -> metric.getName().equals(name))
                .reduce((earlier, later) -> later);
    }

    static Map<String, Object> attributes(List<KeyValue> attributes) {
        Map<String, Object> map = new TreeMap<>();
        attributes.forEach(attribute -> map.put(attribute.getKey(), value(attribute.getValue())));
        return map;
    }

    private static Object value(AnyValue value) {
        return switch (value.getValueCase()) {
            case STRING_VALUE -> value.getStringValue();
            case BOOL_VALUE -> value.getBoolValue();
            case INT_VALUE -> value.getIntValue();
            case DOUBLE_VALUE -> value.getDoubleValue();
            case ARRAY_VALUE ->
                    value.getArrayValue().getValuesList().stream().map(Receiver::value).toList();
            default -> throw new AssertionError(value);
        };
    }

    @Override
    public void close() {
        ends.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
