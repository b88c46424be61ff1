package dev.glovebox.sandbox.opensandbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.alibaba.opensandbox.sandbox.Sandbox;
import com.alibaba.opensandbox.sandbox.SandboxManager;
import com.alibaba.opensandbox.sandbox.api.models.CreateSandboxRequest;
import com.alibaba.opensandbox.sandbox.config.ConnectionConfig;
import com.alibaba.opensandbox.sandbox.domain.models.execd.executions.OutputMessage;
import com.alibaba.opensandbox.sandbox.domain.models.execd.executions.RunCommandRequest;
import com.alibaba.opensandbox.sandbox.domain.models.sandboxes.SandboxFilter;
import dev.glovebox.sandbox.conformance.Walls;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** OpenSandbox's own client understands the server that our tests run against. */
final class SdkTest {

    /** The server's boxes are jails. */
    @BeforeAll
    static void needsTheJail() {
        Walls.needed("jail");
    }

    private static ConnectionConfig connection(BoxServer server) {
        return ConnectionConfig.builder()
                .domain(server.authority() + "/v1")
                .apiKey(BoxServer.KEY)
                .build();
    }

    private static Sandbox box(BoxServer server) {
        return Sandbox.builder()
                .image("image")
                .resource(Map.of("cpu", "1", "memory", "256Mi"))
                .connectionConfig(connection(server))
                .build();
    }

    @Test
    void theServerOfOurTestsSpeaksWhatTheRealClientSpeaks() {
        try (BoxServer server = new BoxServer();
                Sandbox box = box(server)) {
            assertThat(box.getInfo().getStatus().getState()).isEqualTo("Running");
            RunCommandRequest request =
                    RunCommandRequest.builder()
                            .command("echo one; echo two; echo wrong >&2")
                            .build();
            assertThat(box.commands().run(request).getLogs().getStdout())
                    .extracting(OutputMessage::getText)
                    .containsExactly("one", "two");
            String path = BoxServer.SCRATCH + "/file";
            box.files().writeFile(path, "content");
            assertThat(box.files().readFile(path)).isEqualTo("content");
            assertThat(box.files().readFileInfo(List.of(path)).values())
                    .singleElement()
                    .satisfies(told -> assertThat(told.getSize()).isEqualTo(7));
            box.kill();
            assertThat(server.boxes).isEmpty();
        }
    }

    // Why it is not what the tier is made of: docs/decisions/010-opensandbox-without-its-sdk.md

    @Test
    void itCannotAskForANetworkPolicy() {
        assertThat(Sandbox.Builder.class.getMethods())
                .extracting(method -> method.getName().toLowerCase(Locale.ROOT))
                .contains("resource", "metadata")
                .noneMatch(name -> name.contains("network") || name.contains("egress"));
        assertThat(CreateSandboxRequest.class.getMethods())
                .extracting(method -> method.getName().toLowerCase(Locale.ROOT))
                .contains("getresourcelimits", "getmetadata")
                .noneMatch(name -> name.contains("network") || name.contains("egress"));
    }

    @Test
    void itTakesTheKeyToWhereverARedirectLeads() {
        try (BoxServer server = new BoxServer();
                BoxServer elsewhere = new BoxServer();
                SandboxManager manager =
                        SandboxManager.builder().connectionConfig(connection(server)).build()) {
            server.trick =
                    (exchange, path) -> {
                        exchange.getResponseHeaders()
                                .set("Location", "http://" + elsewhere.authority() + path);
                        exchange.sendResponseHeaders(307, -1);
                        return true;
                    };
            manager.listSandboxInfos(SandboxFilter.builder().build());
            assertThat(elsewhere.keys).containsExactly(BoxServer.KEY);
        }
    }

    @Test
    void itTakesNonsenseForAGoodEnd() {
        try (BoxServer server = new BoxServer();
                Sandbox box = box(server)) {
            server.trick =
                    (exchange, path) -> {
                        boolean command = path.endsWith("/command");
                        if (command) {
                            BoxServer.answer(
                                    exchange,
                                    200,
                                    "{\"type\":\"err".getBytes(StandardCharsets.UTF_8),
                                    "text/event-stream");
                        }
                        return command;
                    };
            RunCommandRequest request = RunCommandRequest.builder().command("false").build();
            assertThat(box.commands().run(request).getError()).isNull();
        }
    }
}
