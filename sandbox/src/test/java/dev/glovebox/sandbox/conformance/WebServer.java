package dev.glovebox.sandbox.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** A web server on the loopback of this machine, that says who asked it for what. */
final class WebServer implements AutoCloseable {

    private final HttpServer server;
    private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile long uploaded;

    WebServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            uploaded = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
            byte[] page = pages.get(exchange.getRequestURI().getPath());
            if (page == null) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            exchange.getResponseHeaders()
                    .set("Content-Type", page[0] == '<' ? "text/html" : "application/octet-stream");
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
        }
    }

    WebServer page(String path, byte[] content) {
        pages.put(path, content);
        return this;
    }

    int port() {
        return server.getAddress().getPort();
    }

    List<String> asked() {
        return asked;
    }

    long uploaded() {
        return uploaded;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
