package dev.glovebox.coder;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import javax.net.ssl.SSLContext;

/** Package indexes of pip and npm on the loopback, with packages that tests make. */
final class IndexServer implements AutoCloseable {

    private static final int BLOCK = 512;

    private final String scheme;
    private final HttpServer server;
    private final Map<String, byte[]> pages = new ConcurrentHashMap<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<String> asked = new CopyOnWriteArrayList<>();

    IndexServer() {
        this(Optional.empty());
    }

    /** One that proves who it is. */
    static IndexServer proven(SSLContext by) {
        return new IndexServer(Optional.of(by));
    }

    private IndexServer(Optional<SSLContext> proof) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        scheme = proof.isPresent() ? "https" : "http";
        try {
            if (proof.isPresent()) {
                HttpsServer secured = HttpsServer.create(any, 50);
                secured.setHttpsConfigurator(new HttpsConfigurator(proof.get()));
                server = secured;
            } else {
                server = HttpServer.create(any, 50);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Whoever looks whether it is there says nothing, and must not hold up others.
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        String path = exchange.getRequestURI().getPath();
                        asked.add(path);
                        byte[] page = pages.get(path);
                        if (page == null) {
                            exchange.sendResponseHeaders(404, -1);
                            return;
                        }
                        String type =
                                path.startsWith("/simple/") ? "text/html" : "application/json";
                        exchange.getResponseHeaders().set("Content-Type", type);
                        exchange.sendResponseHeaders(200, page.length);
                        exchange.getResponseBody().write(page);
                    }
                });
        server.start();
    }

    String url(String path) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** How pip and npm are told of it. */
    Map<String, String> environment() {
        return Map.of("PIP_INDEX_URL", url("/simple"), "npm_config_registry", url("/"));
    }

    List<String> asked() {
        return List.copyOf(asked);
    }

    void file(String project, String name, byte[] content) {
        pages.put("/files/" + name, content);
        pages.put(
                "/simple/" + project + "/",
                ("<a href='/files/" + name + "'>" + name + "</a>").getBytes(UTF_8));
    }

    /** A wheel of a distribution. */
    void wheel(String distribution, Map<String, String> files) {
        String name = distribution.replace('-', '_');
        String info = name + "-1.0.dist-info/";
        Map<String, byte[]> all = new LinkedHashMap<>();
        StringBuilder record = new StringBuilder();
        files.forEach((file, text) -> {
            all.put(file, text.getBytes(UTF_8));
            record.append(file).append(",,\n");
        });
        String metadata = "Metadata-Version: 2.1\nName: " + distribution + "\nVersion: 1.0\n";
        all.put(info + "METADATA", metadata.getBytes(UTF_8));
        String wheel = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n";
        all.put(info + "WHEEL", wheel.getBytes(UTF_8));
        for (String own : List.of("METADATA", "WHEEL", "RECORD")) {
            record.append(info).append(own).append(",,\n");
        }
        all.put(info + "RECORD", record.toString().getBytes(UTF_8));
        file(distribution, name + "-1.0-py3-none-any.whl", zip(all));
    }

    static byte[] zip(Map<String, byte[]> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                ZipEntry entry = new ZipEntry(file.getKey());
                CRC32 sum = new CRC32();
                sum.update(file.getValue());
                entry.setCrc(sum.getValue());
                zip.putNextEntry(entry);
                zip.write(file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** A package of npm, whose own manifest may say more. */
    void npm(String name, String more, Map<String, String> files) {
        String manifest =
                "{\"name\":\"%s\",\"version\":\"1.0.0\",\"main\":\"index.js\"%s}"
                        .formatted(name, more);
        Map<String, String> all = new LinkedHashMap<>();
        all.put("package/package.json", manifest);
        files.forEach((file, text) -> all.put("package/" + file, text));
        String tarball = "/" + name + "/-/" + name + "-1.0.0.tgz";
        pages.put(tarball, tarball(all));
        pages.put(
                "/" + name,
                """
                {"name":"%s","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"%s","version":"1.0.0"%s,
                 "dist":{"tarball":"%s"}}}}
                """
                        .formatted(name, name, more, url(tarball))
                        .getBytes(UTF_8));
    }

    /** Files of less than a block, in the old format that every tar reads. */
    private static byte[] tarball(Map<String, String> files) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                out.write(block(file.getKey(), file.getValue().getBytes(UTF_8)));
            }
            out.write(new byte[2 * BLOCK]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] block(String name, byte[] content) {
        byte[] block = new byte[2 * BLOCK];
        put(block, 0, name);
        put(block, 100, "0000644");
        put(block, 108, "0000000");
        put(block, 116, "0000000");
        put(block, 124, "%011o".formatted(content.length));
        put(block, 136, "00000000000");
        put(block, 148, "        ");
        block[156] = '0';
        put(block, 257, "ustar\00000");
        int sum = 0;
        for (int i = 0; i < BLOCK; i++) {
            sum += block[i];
        }
        put(block, 148, "%06o\0 ".formatted(sum));
        System.arraycopy(content, 0, block, BLOCK, content.length);
        return block;
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    @Override
    public void close() {
        if (!closed.getAndSet(true)) {
            server.stop(0);
        }
    }
}
