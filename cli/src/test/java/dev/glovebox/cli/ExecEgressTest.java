package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a person or a script sees of {@code glovebox exec --allow}. */
class ExecEgressTest {

    private static final String FETCH =
            """
            import sys, urllib.error, urllib.request
            for url in sys.argv[1:]:
                try:
                    print(urllib.request.urlopen(url).read().decode())
                except urllib.error.HTTPError as e:
                    print(e.code)
            """;

    @TempDir Path directory;
    private final List<HttpServer> servers = new ArrayList<>();
    private int port;
    private int other;

    @BeforeAll
    static void needsTheJail() {
        Cli.needs("jail");
    }

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(directory.resolve("fetch.py"), FETCH);
        port = serve("hello");
        other = serve("secret");
    }

    @AfterEach
    void stop() {
        servers.forEach(server -> server.stop(0));
    }

    private int serve(String page) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext(
                "/",
                exchange -> {
                    exchange.sendResponseHeaders(200, page.length());
                    exchange.getResponseBody().write(page.getBytes(UTF_8));
                    exchange.close();
                });
        server.start();
        servers.add(server);
        return server.getAddress().getPort();
    }

    private String url(int port) {
        return "http://127.0.0.1:" + port + "/";
    }

    @Test
    void a_place_that_is_allowed_is_reached_and_another_is_refused_in_words() {
        Cli.Ran ran =
                Cli.in(directory)
                        .run(
                                "exec",
                                "--allow",
                                "127.0.0.1:" + port,
                                "fetch.py",
                                url(port),
                                url(other));
        assertThat(ran.out()).isEqualTo("hello\n403\n");
        assertThat(ran.exit()).isZero();
        assertThat(ran.stderr())
                .isEqualTo(
                        "glovebox: network: 1 connection was refused (127.0.0.1:" + other + ")\n");
    }

    @Test
    void the_document_lists_every_connection() throws IOException {
        Cli.Ran ran =
                Cli.in(directory)
                        .run(
                                "exec",
                                "--json",
                                "--allow",
                                "127.0.0.1:" + port,
                                "fetch.py",
                                url(port),
                                url(other));
        JsonNode connections = ran.json().path("connections");
        assertThat(connections).hasSize(2);
        assertThat(connections.get(0).path("host").asText()).isEqualTo("127.0.0.1");
        assertThat(connections.get(0).path("port").asInt()).isEqualTo(port);
        assertThat(connections.get(0).path("fate").asText()).isEqualTo("allowed");
        assertThat(connections.get(0).path("received_bytes").asLong()).isPositive();
        assertThat(connections.get(1).path("fate").asText()).isEqualTo("denied");
        assertThat(ran.json().at("/pressure/0/limit").asText()).isEqualTo("network");
        assertThat(ran.json().path("receipt").toString()).contains("gate on 127.0.0.1:3128");
    }

    @Test
    void a_policy_file_allows_as_well_and_options_add_to_it() throws IOException {
        Files.writeString(
                directory.resolve("policy.yaml"),
                "network: {allow: [\"127.0.0.1:" + port + "\"]}\n");
        Cli.Ran ran =
                Cli.in(directory)
                        .run(
                                "exec",
                                "--policy",
                                "policy.yaml",
                                "--allow",
                                "localhost:" + other,
                                "fetch.py",
                                url(port),
                                "http://localhost:" + other + "/");
        assertThat(ran.out()).as(ran.stderr()).isEqualTo("hello\nsecret\n");
    }

    @Test
    void the_process_tier_cannot_allow_single_places() {
        Cli.Ran ran =
                Cli.in(directory)
                        .run(
                                "exec",
                                "--tier",
                                "process",
                                "--allow",
                                "127.0.0.1:" + port,
                                "fetch.py");
        assertThat(ran.exit()).isEqualTo(125);
        assertThat(ran.stderr()).contains("process tier cannot allow single hosts");
    }

    @Test
    void a_trace_keeps_the_connections() throws IOException {
        Cli cli = Cli.in(directory);
        Cli.Ran ran =
                cli.run(
                        "exec",
                        "--json",
                        "--trace",
                        "--allow",
                        "127.0.0.1:" + port,
                        "fetch.py",
                        url(port));
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        String run = ran.json().path("run").asText();
        Cli.Ran export = cli.run("trace", "export", run, "-o", "-");
        assertThat(export.exit()).as(export.stderr()).isZero();
        assertThat(export.out()).contains("\"connections\"");
    }
}
