package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import dev.glovebox.agent.support.Jail;
import dev.glovebox.run.Graph;
import dev.glovebox.run.Run;
import dev.glovebox.run.Runs;
import dev.glovebox.run.Status;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Programs of agents reach the hosts that their policy names, nothing else, and it is on record.
 */
class EgressTest {

    private Trace trace;
    private Runs runs;
    private HttpServer named;
    private HttpServer unnamed;
    private final AtomicInteger askedUnnamed = new AtomicInteger();

    @BeforeEach
    void open(@TempDir Path keys) throws IOException {
        Jail.assumed();
        trace = Trace.open(new MemoryStore(), keys);
        runs = Runs.in(trace);
        named = serve("from the named host", new AtomicInteger());
        unnamed = serve("from another", askedUnnamed);
    }

    @AfterEach
    void close() {
        if (runs != null) {
            runs.close();
            trace.close();
            named.stop(0);
            unnamed.stop(0);
        }
    }

    private static HttpServer serve(String page, AtomicInteger asked) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 5);
        server.createContext(
                "/",
                exchange -> {
                    asked.incrementAndGet();
                    exchange.sendResponseHeaders(200, page.length());
                    exchange.getResponseBody().write(page.getBytes(UTF_8));
                    exchange.close();
                });
        server.start();
        return server;
    }

    private Policy policy() {
        return Policy.denyAll().allow("127.0.0.1", named.getAddress().getPort());
    }

    private String code() {
        return """
        import urllib.error, urllib.request
        for port in %d, %d:
            try:
                print(urllib.request.urlopen(f'http://127.0.0.1:{port}/').read().decode())
            except urllib.error.HTTPError as e:
                print(e.code)
        """
                .formatted(named.getAddress().getPort(), unnamed.getAddress().getPort());
    }

    record Seen(String text, List<String> connections) {

        static final Seen NOTHING = new Seen("", List.of());

        static Seen of(String text, Executed executed) {
            return new Seen(
                    text,
                    executed.connections().stream()
                            .map(one -> one.port() + " " + one.fate())
                            .toList());
        }
    }

    private Graph<Seen> tool() {
        return Graph.of("tool", Seen.class)
                .node(
                        "run",
                        (seen, context) -> {
                            Tool python = BuiltInTools.runPython(policy(), Workspace.of(trace));
                            ObjectNode arguments =
                                    JsonNodeFactory.instance.objectNode().put("code", code());
                            ToolOutput output =
                                    context.perform(
                                            new ToolUse(
                                                    python,
                                                    arguments,
                                                    "ann",
                                                    "c",
                                                    Guardrails.none()));
                            return Seen.of(output.text(), output.executed().orElseThrow());
                        })
                .edge("run", Graph.END)
                .build();
    }

    private Graph<Seen> exec() {
        return Graph.of("exec", Seen.class)
                .node(
                        "run",
                        (seen, context) -> {
                            Executed executed =
                                    context.perform(
                                            SandboxExec.of(
                                                    Launch.of(policy(), Program.python(code()))));
                            return Seen.of(new String(executed.stdout(), UTF_8), executed);
                        })
                .edge("run", Graph.END)
                .build();
    }

    private Seen finished(Graph<Seen> graph) {
        Run<Seen> run = runs.start(graph, Seen.NOTHING, "x");
        Status.Finished<Seen> end = (Status.Finished<Seen>) run.await();
        Seen seen = end.state();
        assertThat(seen.connections())
                .containsExactly(
                        named.getAddress().getPort() + " allowed",
                        unnamed.getAddress().getPort() + " denied");
        assertThat(askedUnnamed).hasValue(0);
        // From the record alone, with nobody there to be asked.
        named.stop(0);
        assertThat(runs.replay(graph, run.name()).isFaithful()).isTrue();
        return seen;
    }

    @Test
    void aToolReachesTheHostOfItsPolicyAndNoOther() {
        assertThat(finished(tool()).text())
                .contains("from the named host\n403")
                .contains("limits touched: ")
                .contains("1 connection was refused");
    }

    @Test
    void theRecordOfAnExecutionHasItsConnections() {
        assertThat(finished(exec()).text()).isEqualTo("from the named host\n403\n");
    }

    @Test
    void recordsFromBeforeThereWereConnectionsAreRead() throws IOException {
        String record =
                """
                {"outcome":{"type":"exited","code":0},"out":{"head":0,"total":0,"digest":""},"stdout":"",
                 "err":{"head":0,"total":0,"digest":""},"stderr":"","stdin":"","stdinBytes":0,
                 "pressure":[],"files":{},"receipt":{}}
                """;
        Executed old = new JsonMapper().readValue(record, Executed.class);
        assertThat(old.outcome().success()).isTrue();
        assertThat(old.connections()).isEmpty();
    }
}
