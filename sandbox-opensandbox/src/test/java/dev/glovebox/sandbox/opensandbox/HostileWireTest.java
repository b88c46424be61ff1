package dev.glovebox.sandbox.opensandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that do not even speak HTTP as they should. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileWireTest {

    private static final Duration SHORT = Duration.ofMillis(500);

    /** Answers every connection with the same words, and then one piece again and again. */
    private static final class Parrot implements AutoCloseable {

        private final ServerSocket socket;

        Parrot(String first, String again, Duration pause) throws IOException {
            socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
            Thread.ofVirtual()
                    .start(() -> {
                        while (!socket.isClosed()) {
                            try {
                                Socket line = socket.accept();
                                Thread.ofVirtual().start(() -> talk(line, first, again, pause));
                            } catch (IOException e) {
                                return; // closed
                            }
                        }
                    });
        }

        private static void talk(Socket line, String first, String again, Duration pause) {
            try (line) {
                OutputStream out = line.getOutputStream();
                out.write(first.getBytes(StandardCharsets.US_ASCII));
                byte[] piece = again.getBytes(StandardCharsets.US_ASCII);
                while (true) {
                    out.write(piece);
                    Thread.sleep(pause);
                }
            } catch (IOException | InterruptedException e) {
                // They hung up.
            }
        }

        Wire wire() {
            URI address = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
            return new Wire(address, Map.of("X-Key", "secret"), SHORT);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n|x",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n|1\r\n[\r\n",
                "HTTP/1.1 200 OK\r\n|X: y\r\n",
                "|H",
                "HTTP/1.1 200 OK\r\n\r\n|x"
            })
    void anAnswerThatDripsIsNotWaitedFor(String words) throws Exception {
        String[] parts = words.split("\\|");
        try (Parrot parrot = new Parrot(parts[0], parts[1], Duration.ofMillis(100))) {
            assertThatThrownBy(() -> parrot.wire().get("/x"))
                    .isInstanceOf(ServerTrouble.class)
                    .hasMessageContaining("gone");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\r\n|X-Header: value\r\n",
                "HTTP/1.1 200 OK\r\nX-Header: |valuevaluevaluevalue",
                "HTTP/1.1 200 |OKOKOKOKOKOKOKOK",
                "HTTP/1.1 100 Continue\r\n\r\n|HTTP/1.1 100 Continue\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n|0000000000000000"
            })
    void headersWithoutEndAreCutOff(String words) throws Exception {
        String[] parts = words.split("\\|");
        try (Parrot parrot = new Parrot(parts[0], parts[1].repeat(1000), Duration.ZERO)) {
            assertThatThrownBy(() -> parrot.wire().get("/x")).isInstanceOf(ServerTrouble.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{} {}", "nul", "\"text", "[[[[", "{\"a\":1e999999999}"})
    void whatIsNoJsonIsAnErrorOrNothing(String body) throws Exception {
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        try (Parrot parrot = new Parrot(answer, "", SHORT)) {
            try {
                assertThat(parrot.wire().get("/x").path("id").isTextual()).isFalse();
            } catch (ServerTrouble e) {
                assertThat(e).hasMessageContaining("nonsense");
            }
        }
    }

    @Test
    void anAnswerOfCountlessPiecesIsNotTakenIntoMemory() throws Exception {
        String body = "[" + "{},".repeat(600_000) + "{}]";
        String answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        try (Parrot parrot = new Parrot(answer, "", SHORT)) {
            assertThatThrownBy(() -> parrot.wire().get("/x", body.length()))
                    .isInstanceOf(ServerTrouble.class)
                    .hasMessageContaining("nonsense");
        }
    }

    @Test
    void aServerThatNobodyVouchesForNeverSeesTheKey(@TempDir Path folder) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        HttpsServer https = https(folder);
        https.createContext(
                "/",
                exchange -> {
                    seen.add(exchange.getRequestHeaders().entrySet().toString());
                    BoxServer.refuse(exchange, 404, "NOT_FOUND");
                });
        https.start();
        try {
            URI address = URI.create("https://127.0.0.1:" + https.getAddress().getPort() + "/");
            Settings settings = new Settings(address, BoxServer.KEY, "image", "/tmp/x");
            assertThat(new OpenSandboxTier(() -> Optional.of(settings)).probe())
                    .isInstanceOf(Availability.Missing.class)
                    .asString()
                    .contains("PKIX");
            assertThat(seen).isEmpty();
        } finally {
            https.stop(0);
        }
    }

    private static HttpsServer https(Path folder) throws Exception {
        Path store = folder.resolve("store");
        Process keytool =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "keytool")
                                        .toString(),
                                "-genkeypair",
                                "-alias",
                                "server",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=127.0.0.1",
                                "-ext",
                                "SAN=ip:127.0.0.1",
                                "-storepass",
                                "password",
                                "-keystore",
                                store.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(keytool.waitFor()).as(said).isZero();
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            keys.load(in, "password".toCharArray());
        }
        KeyManagerFactory managers =
                KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, "password".toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        HttpsServer https =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        https.setHttpsConfigurator(new HttpsConfigurator(context));
        return https;
    }
}
