package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An engine that is reached over TCP, and lets in and is believed by certificates only. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class TlsEngineTest {

    private static final Policy POLICY = Policy.denyAll().isolation(Isolation.CONTAINER);

    @TempDir private static Path folder;
    private static int port;
    private static PrivateEngine engine;

    @BeforeAll
    static void start() throws Exception {
        assumeTrue(TestEngine.HOST.isPresent(), "No container engine can be had here");
        assumeTrue(
                Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
                "Only root can start an engine");
        for (String whose : new String[] {"ours", "another"}) {
            Path authority = Files.createDirectory(folder.resolve(whose));
            openssl(
                    authority,
                    "req -x509 -newkey rsa:2048 -nodes -keyout authority.key -out ca.pem -subj /CN=authority");
            openssl(
                    authority,
                    "req -newkey rsa:2048 -nodes -keyout key.pem -out request -subj /CN=one");
            Files.writeString(authority.resolve("names"), "subjectAltName=IP:127.0.0.1");
            openssl(
                    authority,
                    "x509 -req -in request -CA ca.pem -CAkey authority.key -CAcreateserial -out cert.pem -extfile names");
        }
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path ours = folder.resolve("ours");
        engine =
                PrivateEngine.start(
                        "--host",
                        "tcp://127.0.0.1:" + port,
                        "--tlsverify",
                        "--tlscacert=" + ours.resolve("ca.pem"),
                        "--tlscert=" + ours.resolve("cert.pem"),
                        "--tlskey=" + ours.resolve("key.pem"));
        TestImage.ensure(engine.host());
    }

    private static void openssl(Path in, String words) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(("openssl " + words).split(" "))
                        .directory(in.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start();
        assertThat(process.waitFor()).as(words).isZero();
    }

    @AfterAll
    static void stop() {
        if (engine != null) {
            engine.close();
        }
    }

    private static ContainerTier tier(String certificates) {
        return new ContainerTier(
                NoEngineTest.settings(
                        Map.of(
                                "DOCKER_HOST",
                                "tcp://127.0.0.1:" + port,
                                "DOCKER_TLS_VERIFY",
                                "1",
                                "DOCKER_CERT_PATH",
                                folder.resolve(certificates).toString())));
    }

    @Test
    void boxesAreMadeOnIt() {
        try (Sandbox box = tier("ours").open(POLICY)) {
            box.files().write("in.txt", new byte[] {'4', '2'});
            Result result = box.run(Program.python("print(open('in.txt').read())"));
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).isEqualTo("42\n");
            assertThat(result.receipt().hostUid()).as("of another machine").isEmpty();
        }
    }

    @Test
    void oneThatIsBelievedByNobodyIsNotSpokenTo() {
        assertThat(tier("another").probe()).isInstanceOf(Availability.Missing.class);
        assertThatThrownBy(() -> tier("another").open(POLICY)).isInstanceOf(NotEnforceable.class);
    }

    @Test
    void filesOfThisMachineAreRefusedBeforeItIsAsked() {
        Policy policy = POLICY.grant(new FileGrant(folder, "/data", FileGrant.Mode.READ));
        assertThatThrownBy(() -> tier("ours").check(policy))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("another machine");
    }
}
