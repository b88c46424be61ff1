package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command with a model, against a vendor's server of our own; and who is told of it. */
@Timeout(300)
class RunModelTest {

    private static final JsonMapper JSON = new JsonMapper();
    private static final String LESSON = "Open the valve before the pump";

    private static final Turn PLAN = Turn.says(plan().toString());
    private static final Turn STUCK =
            Turn.says(code("raise SystemExit('the valve is stuck')\n").toString());
    private static final Turn REPAIR = Turn.says(repair(code("print(sum(range(4)))\n")).toString());

    @TempDir private Path directory;

    @BeforeEach
    void needsAJail() {
        Cli.needs("jail");
    }

    private static ObjectNode plan() {
        ObjectNode plan =
                JSON.createObjectNode()
                        .put("unclear", "")
                        .put("language", "PYTHON")
                        .put("shell", false)
                        .put("task", "Print the sum of 1 to 3.")
                        .put("output", "TEXT");
        plan.putArray("dependencies");
        plan.putArray("inputs");
        plan.putArray("checks").addObject().put("kind", "PRINTS").put("value", "6");
        return plan;
    }

    private static ObjectNode code(String text) {
        ObjectNode code = JSON.createObjectNode().put("stuck", "").put("entry", "main.py");
        code.putArray("files").addObject().put("name", "main.py").put("text", text);
        code.putArray("dependencies");
        code.putArray("arguments");
        return code;
    }

    private static ObjectNode repair(ObjectNode code) {
        code.remove("stuck");
        return code.put("category", "value")
                .put("cause", LESSON)
                .put("fix", "Do that")
                .put("confidence", 0.9);
    }

    private Cli.Ran run(VendorServer server, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(more);
        all.put("OPENAI_API_KEY", "a-key");
        return Cli.in(directory)
                .env(all)
                .run("run", "--model", "openai:small@" + server.address(), "add up 1 to 3");
    }

    @Test
    void what_helped_once_is_told_the_debugger_of_the_next_run() {
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR, PLAN, STUCK, REPAIR)) {
            Cli.Ran first = run(server, Map.of());
            assertThat(first.exit()).as(first.stderr() + first.out()).isZero();
            assertThat(first.out()).contains("2 attempts", "360 tokens", "print(sum(range(4)))");
            Cli.Ran second = run(server, Map.of());
            assertThat(second.exit()).as(second.stderr()).isZero();
            assertThat(server.requests().get(2).toString()).doesNotContain("Similar mistakes");
            assertThat(server.requests().get(5).toString()).contains("Similar mistakes", LESSON);
            assertThat(glovebox("trace", "replay", "last").exit()).isZero();
            assertThat(glovebox("trace", "verify", "last").exit()).isZero();
        }
    }

    private Cli.Ran glovebox(String... words) {
        return Cli.in(directory).run(words);
    }

    @Test
    void a_memory_that_cannot_be_used_is_said_and_nothing_else() throws IOException {
        Path home = Files.createDirectory(directory.resolve(Cli.HOME));
        Files.writeString(home.resolve("memory.db"), "no database ".repeat(1_000));
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR)) {
            Cli.Ran ran = run(server, Map.of());
            assertThat(ran.exit()).as(ran.stderr()).isZero();
            assertThat(ran.stderr()).contains("what helped could not be remembered");
        }
    }

    @Test
    void what_is_redacted_is_not_remembered_either() throws IOException {
        try (VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR, PLAN, STUCK, REPAIR)) {
            assertThat(run(server, Map.of()).exit()).isZero();
            JsonNode shown = glovebox("trace", "show", "last", "--json").json();
            String digest = shown.findValue("blob").asText();
            Cli.Ran redacted = glovebox("trace", "redact", digest, "--reason", "asked for");
            assertThat(redacted.exit()).as(redacted.stderr()).isZero();
            assertThat(run(server, Map.of()).exit()).isZero();
            assertThat(server.requests().get(5).toString()).doesNotContain("Similar mistakes");
        }
    }

    /** Takes what exporters send, and keeps it as it is. */
    private static final class Collector implements AutoCloseable {

        private final HttpServer server;
        private final List<String> spans = new CopyOnWriteArrayList<>();
        private final List<String> metrics = new CopyOnWriteArrayList<>();

        Collector() throws IOException {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
            take("/v1/traces", spans);
            take("/v1/metrics", metrics);
            server.start();
        }

        private void take(String path, List<String> into) {
            server.createContext(
                    path,
                    exchange -> {
                        try (exchange) {
                            // Texts stand in it as they are.
                            into.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
                            exchange.getResponseHeaders()
                                    .set("Content-Type", "application/x-protobuf");
                            exchange.sendResponseHeaders(200, -1);
                        }
                    });
        }

        String address() {
            return "http://127.0.0.1:" + server.getAddress().getPort();
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    @Test
    void spans_and_metrics_go_where_the_environment_says() throws IOException {
        try (Collector collector = new Collector();
                VendorServer server = OpenAiServer.start(PLAN, STUCK, REPAIR)) {
            Cli.Ran ran = run(server, Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address()));
            assertThat(ran.exit()).as(ran.stderr()).isZero();
            assertThat(String.join("", collector.spans))
                    .contains("invoke_workflow coder", "glovebox.node", "sandbox.exec")
                    .contains("chat openai:small", "search_memory")
                    .doesNotContain("valve", "range(4)", "add up 1 to 3");
            assertThat(String.join("", collector.metrics))
                    .contains("glovebox.run.count", "completed")
                    .contains("glovebox.run.attempts", "glovebox.attempt.failures", "value")
                    .contains("glovebox.sandbox.duration", "jail")
                    .contains("gen_ai.client.token.usage", "planner", "debugger")
                    .doesNotContain("valve", "range(4)", "add up 1 to 3");
        }
    }

    @Test
    void nothing_is_sent_where_it_does_not_say_so() throws IOException {
        try (Collector collector = new Collector()) {
            for (Map<String, String> off :
                    List.of(
                            Map.<String, String>of(),
                            Map.of(
                                    "OTEL_EXPORTER_OTLP_ENDPOINT",
                                    collector.address(),
                                    "OTEL_SDK_DISABLED",
                                    "true"))) {
                Cli.Ran ran = Cli.in(directory).env(off).run("run", "-q", "factorial of 6");
                assertThat(ran.exit()).as(ran.stderr()).isZero();
            }
            assertThat(collector.spans).isEmpty();
            assertThat(collector.metrics).isEmpty();
        }
    }

    @Test
    void a_receiver_that_is_not_there_holds_nobody_up_and_nonsense_is_named() {
        Map<String, String> nobody = Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1");
        assertThat(Cli.in(directory).env(nobody).run("run", "-q", "factorial of 6").exit())
                .isZero();
        Map<String, String> nonsense =
                Map.of(
                        "OTEL_EXPORTER_OTLP_ENDPOINT",
                        "http://127.0.0.1:1",
                        "OTEL_EXPORTER_OTLP_PROTOCOL",
                        "grpc");
        Cli.Ran refused = Cli.in(directory).env(nonsense).run("run", "-q", "factorial of 6");
        assertThat(refused.exit()).isEqualTo(Main.USAGE);
        assertThat(refused.stderr()).contains("grpc");
    }
}
