package dev.glovebox.sandbox.conformance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A web server on the loopback of this machine, that says who asked it for what. */
final class WebServer implements AutoCloseable {

    private static final int BACKLOG = 50;

    private final HttpServer server;
    private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile long uploaded;

    WebServer() throws IOException {
        this(HttpServer.create(anyPort(), BACKLOG));
    }

    private WebServer(HttpServer server) {
        this.server = server;
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Speaks TLS, with a certificate that nobody knows. */
    static WebServer secure(Path folder) throws Exception {
        Path store = folder.resolve("keys");
        Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
        String password = "secret";
        Process made =
                new ProcessBuilder(
                                keytool.toString(),
                                "-genkeypair",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=test",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                password)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (made.waitFor() != 0) {
            throw new IllegalStateException("keytool failed");
        }
        KeyManagerFactory keys =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(
                KeyStore.getInstance(store.toFile(), password.toCharArray()),
                password.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        HttpsServer server = HttpsServer.create(anyPort(), BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        return new WebServer(server);
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
