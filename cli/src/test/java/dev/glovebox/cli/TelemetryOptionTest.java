package dev.glovebox.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where spans go is said by variables, and what is wrong with that in a sentence of ours. */
@Timeout(120)
class TelemetryOptionTest {

    private static final String ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

    @TempDir private Path directory = Path.of("");

    @BeforeEach
    void needsAJail() {
        Cli.needs("jail");
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_EXPORTER_OTLP_PROTOCOL, grpc, http/protobuf",
        "OTEL_BSP_MAX_QUEUE_SIZE, abc, otel.bsp.max.queue.size=abc",
        "OTEL_EXPORTER_OTLP_ENDPOINT, nonsense, valid URL: nonsense"
    })
    void variables_that_cannot_be_used_are_bad_usage(String name, String value, String told)
            throws Exception {
        Map<String, String> variables = new HashMap<>(Map.of(ENDPOINT, "http://127.0.0.1:1"));
        variables.put(name, value);
        Cli.Ran ran = run(variables);
        assertThat(ran.exit()).isEqualTo(Main.USAGE);
        assertThat(ran.stderr())
                .startsWith("glovebox: ")
                .contains(told)
                .doesNotContain("inside Glovebox")
                .hasLineCount(1);
    }

    @Test
    void a_receiver_that_refuses_is_told_once_and_why_to_those_who_ask() throws Exception {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.start();
        try {
            String address = "http://127.0.0.1:" + server.getAddress().getPort();
            Cli.Ran ran = run(Map.of(ENDPOINT, address));
            assertThat(ran.exit()).isZero();
            assertThat(ran.stderr()).contains("Spans are lost").hasLineCount(1);
            assertThat(run(Map.of(ENDPOINT, address, "GLOVEBOX_LOG", "DEBUG")).stderr())
                    .contains("HTTP status code 404");
        } finally {
            server.stop(0);
        }
    }

    private Cli.Ran run(Map<String, String> variables) throws Exception {
        ProcessBuilder builder = Cli.in(directory).process("run", "-q", "factorial of 5");
        builder.environment().put("GLOVEBOX_HOME", directory.resolve(Cli.HOME).toString());
        builder.environment().putAll(variables);
        return Cli.await(builder.start());
    }
}
