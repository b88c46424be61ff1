package dev.glovebox.sandbox.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Connection.Fate;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Ordinary programs reach the hosts that the policy names, through the gate, and all is recorded.
 */
public abstract class EgressKit extends ConformanceKit {

    @SuppressWarnings("NullAway.Init") // made before each test
    private WebServer server;

    @BeforeEach
    final void startServer() throws IOException {
        promised(Promise.EGRESS_GATED);
        server = new WebServer();
        server.page("/hello", "hello from outside\n".getBytes(UTF_8));
    }

    @AfterEach
    final void stopServer() {
        server.close();
    }

    private Policy allowing() {
        return policy().allow("127.0.0.1", server.port());
    }

    private String url(String path) {
        return "http://127.0.0.1:" + server.port() + path;
    }

    private Result run(Policy policy, Program program, Language... languages) {
        try (Sandbox box = open(policy, languages)) {
            return box.run(program);
        }
    }

    private static void installed(String tool) {
        assumeTrue(Files.isExecutable(Path.of(tool)), tool + " is not installed here");
    }

    private Connection only(Result result) {
        assertThat(result.connections()).as(told(result)).hasSize(1);
        return result.connections().getFirst();
    }

    @Test
    void pythonReachesAnAllowedHostAndTheReceiptAndTheRecordSayIt() {
        Result result =
                run(
                        allowing(),
                        Program.python(
                                "import urllib.request\nprint(urllib.request.urlopen('%s').read().decode(), end='')"
                                        .formatted(url("/hello"))),
                        Language.PYTHON);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("hello from outside\n");
        Connection connection = only(result);
        assertThat(connection.place()).isEqualTo("127.0.0.1:" + server.port());
        assertThat(connection.fate()).isEqualTo(Fate.ALLOWED);
        assertThat(connection.detail()).isEqualTo("127.0.0.1");
        assertThat(connection.sent().count()).isBetween(50L, 1000L);
        assertThat(connection.received().count()).isBetween(100L, 1000L);
        assertThat(connection.at()).isBetween(Duration.ZERO, result.usage().wall());
        assertThat(connection.lasted()).isPositive();
        assertThat(result.pressure()).isEmpty();
        Control network = result.receipt().control("network").orElseThrow();
        assertThat(network.value()).isEqualTo("127.0.0.1:" + server.port());
        assertThat(network.by()).contains("gate", "without a route");
    }

    @Test
    void whatIsRefusedIsToldToTheProgramAndShownAsPressure() throws IOException {
        try (WebServer other = new WebServer()) {
            other.page("/secret", "secret".getBytes(UTF_8));
            Result result =
                    run(
                            allowing(),
                            Program.python(
                                    """
                                    import urllib.request, urllib.error
                                    try:
                                        urllib.request.urlopen('http://127.0.0.1:%d/secret')
                                    except urllib.error.HTTPError as e:
                                        print(e.code, e.read().decode(), end='')
                                    """
                                            .formatted(other.port())),
                            Language.PYTHON);
            // 127.0.0.1 is the host's here, since the policy names it.
            assertThat(result.stdout().text())
                    .as(told(result))
                    .isEqualTo(
                            "403 glovebox: the policy does not name 127.0.0.1:%d\n"
                                    .formatted(other.port()));
            assertThat(only(result).fate()).isEqualTo(Fate.DENIED);
            assertThat(result.pressure())
                    .containsExactly(
                            new Pressure(
                                    Limit.NETWORK,
                                    "1 connection was refused (127.0.0.1:" + other.port() + ")"));
            assertThat(other.asked()).isEmpty();
        }
    }

    @Test
    void aBoxWithoutHostsHasNoGateAndNoVariables() {
        Result result = run(policy(), Program.command("env"));
        assertThat(result.stdout().text().toLowerCase(Locale.ROOT)).doesNotContain("proxy");
        assertThat(result.connections()).isEmpty();
        assertThat(result.receipt().control("network").map(Control::value)).hasValue("none");
    }

    @Test
    void thePolicysOwnVariablesGoFirst() {
        Result result =
                run(
                        allowing().env("http_proxy", "http://elsewhere:1"),
                        Program.command("printenv", "http_proxy", "HTTP_PROXY", "NO_PROXY"));
        assertThat(result.stdout().text())
                .isEqualTo("http://elsewhere:1\nhttp://127.0.0.1:3128\nlocalhost,::1\n");
    }

    @Test
    void aBoxStillHasALoopbackOfItsOwn() {
        Result result =
                run(
                        policy().allow("api.example.com", 443),
                        Program.python(
                                """
                                import http.server, threading, urllib.request
                                server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), http.server.SimpleHTTPRequestHandler)
                                threading.Thread(target=server.serve_forever, daemon=True).start()
                                for name in '127.0.0.1', 'localhost':
                                    print(urllib.request.urlopen(f'http://{name}:{server.server_port}/').status)
                                """),
                        Language.PYTHON);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("200\n200\n");
        assertThat(result.connections()).isEmpty();
    }

    @Test
    void localhostNamesTheHostsOwnLoopback() {
        installed("/usr/bin/curl");
        String url = "http://localhost:" + server.port() + "/hello";
        Result result =
                run(
                        policy().allow("localhost", server.port()),
                        Program.command("curl", "-sS", url));
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("hello from outside\n");
        assertThat(only(result).host()).isEqualTo("localhost");
    }

    @Test
    void curlTunnelsAndSpeaksThroughTheGate() {
        installed("/usr/bin/curl");
        Result plain = run(allowing(), Program.command("curl", "-sS", url("/hello")));
        assertThat(plain.stdout().text()).as(told(plain)).isEqualTo("hello from outside\n");
        Result tunnel = run(allowing(), Program.command("curl", "-sS", "-p", url("/hello")));
        assertThat(tunnel.stdout().text()).as(told(tunnel)).isEqualTo("hello from outside\n");
        assertThat(only(tunnel).fate()).isEqualTo(Fate.ALLOWED);
    }

    @Test
    void tlsGoesThroughTheGateAsItIs(@TempDir Path folder) throws Exception {
        installed("/usr/bin/curl");
        try (WebServer secure = WebServer.secure(folder)) {
            secure.page("/hello", "hello in secret\n".getBytes(UTF_8));
            Policy policy = policy().allow("127.0.0.1", secure.port());
            String url = "https://127.0.0.1:" + secure.port() + "/hello";
            Result trusting = run(policy, Program.command("curl", "-sS", "-k", url));
            assertThat(trusting.stdout().text()).as(told(trusting)).isEqualTo("hello in secret\n");
            assertThat(only(trusting).fate()).isEqualTo(Fate.ALLOWED);
            Result careful = run(policy, Program.command("curl", "-sS", url));
            assertThat(careful.stderr().text()).contains("certificate");
        }
    }

    @Test
    void theCertificatesOfPublicAuthoritiesAreThereOnlyForWhoMayReachSomebody() {
        Path bundle = Path.of("/etc/ssl/certs/ca-certificates.crt");
        assumeTrue(Files.exists(bundle), "This distribution keeps them elsewhere");
        Program look = Program.command("head", "-c", "10", bundle.toString());
        assertThat(run(allowing(), look).stdout().text()).startsWith("-----BEGIN");
        assertThat(run(policy(), look).outcome()).isEqualTo(new Outcome.Exited(1));
    }

    @Test
    void aLargeUploadAndALargeDownloadArriveWhole() {
        installed("/usr/bin/curl");
        byte[] much = new byte[20 << 20];
        new Random(1).nextBytes(much);
        server.page("/much", much);
        Result result =
                run(
                        allowing().disk(Bytes.mebibytes(64)),
                        Program.bash(
                                """
                                set -e
                                curl -sS -o file '%s'
                                sha256sum < file
                                curl -sS -o /dev/null -T file '%s'
                                curl -sS -o /dev/null -T - -H 'Transfer-Encoding: chunked' '%s' < file
                                """
                                        .formatted(url("/much"), url("/hello"), url("/much"))),
                        Language.BASH);
        assertThat(result.outcome()).as(told(result)).isEqualTo(new Outcome.Exited(0));
        assertThat(result.stdout().text()).startsWith(digest(much));
        assertThat(server.uploaded()).isEqualTo(much.length);
        assertThat(result.connections())
                .extracting(Connection::fate)
                .containsOnly(Fate.ALLOWED)
                .hasSize(3);
        assertThat(result.connections().getFirst().received().count()).isGreaterThan(much.length);
        assertThat(result.connections().getLast().sent().count()).isGreaterThan(much.length);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aHalfClosedTunnelStillBringsTheAnswer() throws IOException {
        try (ServerSocket counter = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual()
                    .start(() -> {
                        try (Socket one = counter.accept()) {
                            // Answers only when the other side has said all.
                            long size =
                                    one.getInputStream()
                                            .transferTo(OutputStream.nullOutputStream());
                            one.getOutputStream().write(("counted " + size).getBytes(UTF_8));
                        } catch (IOException e) {
                            return; // the test sees that no answer came
                        }
                    });
            Result result =
                    run(
                            policy().allow("127.0.0.1", counter.getLocalPort()),
                            Program.python(
                                    """
                                    import socket
                                    gate = socket.create_connection(('127.0.0.1', 3128))
                                    gate.sendall(b'CONNECT 127.0.0.1:%d HTTP/1.1\\r\\n\\r\\n' + b'x' * 100000)
                                    gate.shutdown(socket.SHUT_WR)
                                    print(gate.makefile('rb').read().decode().split('\\r\\n')[-1])
                                    """
                                            .formatted(counter.getLocalPort())),
                            Language.PYTHON);
            assertThat(result.stdout().text()).as(told(result)).isEqualTo("counted 100000\n");
        }
    }

    @Test
    void eachCommandOfABoxHasItsOwnRecord() {
        installed("/usr/bin/curl");
        try (Sandbox box = open(allowing())) {
            for (int i = 0; i < 3; i++) {
                Result result = box.run(Program.command("curl", "-sS", url("/hello")));
                assertThat(only(result).fate()).isEqualTo(Fate.ALLOWED);
            }
            assertThat(box.run(Program.command("true")).connections()).isEmpty();
        }
    }

    @Test
    void pipInstallsAWheelFromTheIndexThatIsAllowed() throws IOException {
        installed("/usr/bin/pip3");
        Map<String, String> wheel = new LinkedHashMap<>();
        wheel.put("tiny/__init__.py", "answer = 42\n");
        String info = "tiny-1.0.dist-info/";
        wheel.put(info + "METADATA", "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n");
        wheel.put(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n");
        wheel.put(
                info + "RECORD",
                "tiny/__init__.py,,\n"
                        + info
                        + "METADATA,,\n"
                        + info
                        + "WHEEL,,\n"
                        + info
                        + "RECORD,,\n");
        String name = "tiny-1.0-py3-none-any.whl";
        server.page("/files/" + name, zip(wheel));
        server.page(
                "/simple/tiny/",
                ("<a href='/files/" + name + "'>" + name + "</a>").getBytes(UTF_8));
        Result result =
                run(
                        allowing().wall(seconds(60)).cpuTime(seconds(60)),
                        Program.bash(
                                "pip3 install -q --no-cache-dir --disable-pip-version-check --target lib -i %s tiny && PYTHONPATH=lib python3 -c 'import tiny; print(tiny.answer)'"
                                        .formatted(url("/simple/"))),
                        Language.BASH);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("42\n");
        assertThat(server.asked()).contains("GET /files/" + name);
        assertThat(result.connections()).extracting(Connection::fate).containsOnly(Fate.ALLOWED);
    }

    private static byte[] zip(Map<String, String> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    @Test
    void npmInstallsAPackageFromTheRegistryThatIsAllowed() throws IOException {
        installed("/usr/bin/npm");
        String manifest = "{\"name\":\"tiny\",\"version\":\"1.0.0\",\"main\":\"index.js\"}";
        byte[] tarball =
                tarball(
                        Map.of(
                                "package/package.json",
                                manifest,
                                "package/index.js",
                                "module.exports = 42;\n"));
        server.page("/tiny/-/tiny-1.0.0.tgz", tarball);
        server.page(
                "/tiny",
                """
                {"name":"tiny","dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{"name":"tiny","version":"1.0.0",
                 "dist":{"tarball":"%s"}}}}
                """
                        .formatted(url("/tiny/-/tiny-1.0.0.tgz"))
                        .getBytes(UTF_8));
        Result result =
                run(
                        allowing()
                                .wall(seconds(60))
                                .cpuTime(seconds(60))
                                .memory(Bytes.mebibytes(1024)),
                        Program.bash(
                                "npm install --no-audit --no-fund --no-update-notifier --loglevel=error --registry=%s tiny >&2 && node -e 'console.log(require(\"tiny\"))'"
                                        .formatted(url("/"))),
                        Language.BASH,
                        Language.JAVASCRIPT);
        assertThat(result.stdout().text()).as(told(result)).isEqualTo("42\n");
        assertThat(result.connections()).extracting(Connection::fate).containsOnly(Fate.ALLOWED);
    }

    /** Files of less than a block, in the old format that every tar reads. */
    private static byte[] tarball(Map<String, String> files) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                byte[] content = file.getValue().getBytes(UTF_8);
                byte[] block = new byte[1024];
                put(block, 0, file.getKey());
                put(block, 100, "0000644");
                put(block, 108, "0000000");
                put(block, 116, "0000000");
                put(block, 124, "%011o".formatted(content.length));
                put(block, 136, "00000000000");
                put(block, 148, "        ");
                block[156] = '0';
                put(block, 257, "ustar\00000");
                int sum = 0;
                for (int i = 0; i < 512; i++) {
                    sum += block[i];
                }
                put(block, 148, "%06o\0 ".formatted(sum));
                System.arraycopy(content, 0, block, 512, content.length);
                out.write(block);
            }
            out.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static void put(byte[] block, int at, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        System.arraycopy(bytes, 0, block, at, bytes.length);
    }

    @Test
    void boxesWithGatesLeaveNothingBehind() throws Exception {
        installed("/usr/bin/curl");
        for (int i = 0; i < 3; i++) {
            hangingTunnel();
        }
        Census before = Census.take();
        for (int i = 0; i < 20; i++) {
            hangingTunnel();
        }
        before.assertNothingWasAdded();
    }

    /** A box that is closed while a tunnel is open, and a server that says nothing. */
    private void hangingTunnel() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Socket arrived;
            try (Sandbox box = open(policy().allow("127.0.0.1", silent.getLocalPort()))) {
                String url = "http://127.0.0.1:" + silent.getLocalPort() + "/";
                box.start(Program.command("curl", "-sS", "-p", url), chunk -> {});
                arrived = silent.accept();
                assertThat(arrived.getInputStream().read()).isEqualTo('G');
            }
            try (arrived) {
                arrived.setSoTimeout(10_000);
                arrived.getInputStream().transferTo(OutputStream.nullOutputStream());
            }
        }
    }
}
