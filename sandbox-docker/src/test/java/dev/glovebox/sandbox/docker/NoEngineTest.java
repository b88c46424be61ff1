package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said where the configuration leads to no engine: nothing is thrown but a refusal. */
@Timeout(60)
class NoEngineTest {

    private static final String HOST = "glovebox.container.host";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense",
                "%%",
                "ssh://somebody@127.0.0.1",
                "tcp://127.0.0.1:9",
                "unix:///nowhere/docker.sock"
            })
    void anAddressWithoutAnEngineIsToldAndNotThrown(String host) {
        told(Map.of("DOCKER_HOST", host));
    }

    @Test
    void certificatesThatAreNotThereAreToldAndNotThrown() {
        told(
                Map.of(
                        "DOCKER_HOST", "tcp://127.0.0.1:9",
                        "DOCKER_TLS_VERIFY", "1",
                        "DOCKER_CERT_PATH", "/nowhere"));
    }

    @Test
    void podmanOnAnotherMachineIsRefusedInItsOwnName() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    byte[] version =
                            "{\"Version\":\"4.3.1\",\"ApiVersion\":\"1.41\",\"Components\":[{\"Name\":\"Podman Engine\",\"Version\":\"4.3.1\"}]}"
                                    .getBytes(StandardCharsets.UTF_8);
                    exchange.getResponseHeaders().add("Content-Type", "application/json");
                    exchange.sendResponseHeaders(200, version.length);
                    exchange.getResponseBody().write(version);
                    exchange.close();
                });
        server.start();
        try {
            Map<String, String> environment =
                    Map.of("DOCKER_HOST", "tcp://127.0.0.1:" + server.getAddress().getPort());
            told(environment);
            assertThatThrownBy(
                            () -> new ContainerTier(settings(environment)).open(Policy.denyAll()))
                    .hasMessageContaining("Podman")
                    .isInstanceOfSatisfying(
                            NotEnforceable.class,
                            e -> assertThat(e.control()).isEqualTo("seccomp"));
        } finally {
            server.stop(0);
        }
    }

    private static void told(Map<String, String> environment) {
        ContainerTier tier = new ContainerTier(settings(environment));
        tier.prepare();
        assertThat(tier.sweep()).isZero();
        assertThat(tier.probe())
                .isInstanceOfSatisfying(
                        Availability.Missing.class,
                        missing -> {
                            assertThat(missing.reason()).isNotBlank();
                            assertThat(missing.remedy()).isNotBlank();
                        });
        assertThat(tier.interpreter(Language.PYTHON, Policy.denyAll())).isEmpty();
        assertThatThrownBy(() -> tier.open(Policy.denyAll())).isInstanceOf(NotEnforceable.class);
    }

    /** Without the engine of the other tests, which a property names. */
    static Settings settings(Map<String, String> environment) {
        String others = System.clearProperty(HOST);
        try {
            return Settings.of(environment);
        } finally {
            if (others != null) {
                System.setProperty(HOST, others);
            }
        }
    }
}
