package dev.glovebox.sandbox.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Connection.Fate;
import dev.glovebox.sandbox.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gate passes on, byte by byte, and what it does not; here in our own network. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class GateTest {

    /** Answers every connection with the same bytes and keeps what it was sent. */
    private static final class Server implements AutoCloseable {

        private final ServerSocket listening =
                new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        private final String answer;

        Server(String answer) throws IOException {
            this.answer = answer;
            Thread.ofVirtual().start(this::serve);
        }

        private void serve() {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    Thread.ofVirtual().start(() -> serve(socket));
                }
            } catch (IOException e) {
                return; // closed
            }
        }

        private void serve(Socket socket) {
            try (socket) {
                socket.setSoTimeout(300);
                socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
                heard.add(readAll(socket.getInputStream()));
            } catch (IOException e) {
                heard.add("broken: " + e.getMessage());
            }
        }

        int port() {
            return listening.getLocalPort();
        }

        String heard() throws InterruptedException {
            return String.valueOf(heard.poll(20, TimeUnit.SECONDS));
        }

        @Override
        public void close() throws IOException {
            listening.close();
        }
    }

    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

    private final Map<String, List<String>> names = new ConcurrentHashMap<>();
    private final List<HostPort> allowed = new ArrayList<>();
    private final List<String> lookups = new ArrayList<>();
    private Server server;
    private Optional<Gate> gate = Optional.empty();
    private final long start = System.nanoTime();
    private ConnectionLog log = new ConnectionLog();
    private int gatePort;

    @BeforeEach
    void start() throws IOException {
        server = new Server(OK);
        names.put("allowed.example", List.of("127.0.0.1"));
        allow("allowed.example", server.port());
        allow("127.0.0.1", server.port());
    }

    @AfterEach
    void stop() throws IOException {
        gate.ifPresent(Gate::close);
        server.close();
    }

    private void allow(String host, int port) {
        allowed.add(new HostPort(host, port));
    }

    private void open() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            gatePort = free.getLocalPort();
        }
        int fd = (int) Libc.call(Libc.function("socket"), 2, 1 | 0x800, 0);
        Sockets.listen(fd, gatePort, 64);
        Gate opened = new Gate(fd, allowed, this::resolve);
        gate = Optional.of(opened);
        log = opened.log();
    }

    private InetAddress[] resolve(String name) throws UnknownHostException {
        synchronized (lookups) {
            lookups.add(name);
        }
        List<InetAddress> found = new ArrayList<>();
        for (String literal : names.getOrDefault(name, List.of())) {
            found.add(InetAddress.getByName(literal));
        }
        if (name.matches("[0-9.]+")) {
            found.add(InetAddress.getByName(name));
        }
        if (found.isEmpty()) {
            throw new UnknownHostException(name);
        }
        return found.toArray(InetAddress[]::new);
    }

    /** Sends bytes to the gate and gives all that comes back. */
    private String ask(String request) throws IOException {
        if (gate.isEmpty()) {
            open();
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gatePort)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return readAll(socket.getInputStream());
        }
    }

    private static String readAll(InputStream in) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        try {
            for (int next = in.read(); next >= 0; next = in.read()) {
                all.write(next);
            }
        } catch (IOException e) {
            return all.toString(ISO_8859_1);
        }
        return all.toString(ISO_8859_1);
    }

    private Connection only() {
        List<Connection> all = log.connections(start);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private String allowedUrl() {
        return "http://allowed.example:" + server.port() + "/path?q=1";
    }

    @Test
    void aRequestIsPassedOnAsTheServerExpectsIt() throws Exception {
        String answer =
                ask(
                        "GET "
                                + allowedUrl()
                                + " HTTP/1.1\r\nHost: allowed.example\r\nAccept: */*\r\n"
                                + "Proxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\n"
                                + "Connection: X-Private\r\nX-Private: 1\r\n\r\n");
        assertThat(answer)
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        assertThat(server.heard())
                .isEqualTo(
                        "GET /path?q=1 HTTP/1.1\r\nAccept: */*\r\nHost: allowed.example:"
                                + server.port()
                                + "\r\nConnection: close\r\n\r\n");
        Connection connection = only();
        assertThat(connection.fate()).isEqualTo(Fate.ALLOWED);
        assertThat(connection.place()).isEqualTo("allowed.example:" + server.port());
        assertThat(connection.detail()).isEqualTo("127.0.0.1");
        assertThat(connection.received().count()).isEqualTo(OK.length());
        assertThat(connection.sent().count()).isPositive();
        assertThat(log.refused()).isEmpty();
    }

    @Test
    void theRequestLineDecidesAndNotTheHostField() throws Exception {
        ask(
                "GET "
                        + allowedUrl()
                        + " HTTP/1.1\r\nHost: evil.example\r\nhost: other.example\r\n\r\n");
        assertThat(server.heard())
                .contains("\r\nHost: allowed.example:")
                .doesNotContain("evil", "other");
    }

    @Test
    void aTunnelPassesBytesBothWaysAndTellsBothEnds() throws Exception {
        String answer =
                ask("CONNECT ALLOWED.example:" + server.port() + " HTTP/1.1\r\n\r\n\0raw\n\n");
        assertThat(answer).isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n" + OK);
        assertThat(server.heard()).isEqualTo("\0raw\n\n");
        assertThat(only().sent().count()).isEqualTo(6);
        assertThat(only().received().count()).isEqualTo(OK.length());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "CONNECT evil.example:PORT",
                "CONNECT allowed.example:1",
                "CONNECT allowed.example:0PORT",
                "CONNECT allowed.example.evil:PORT",
                "CONNECT evil.allowed.example:PORT",
                "CONNECT allowed.example.:PORT",
                "CONNECT allowed.example:PORT.",
                "CONNECT allowed.example",
                "CONNECT allowed.example@evil.example:PORT",
                "CONNECT evil.example#allowed.example:PORT",
                "CONNECT [::1]:PORT",
                "CONNECT [::ffff:127.0.0.1]:PORT",
                "CONNECT 127.0.0.2:PORT",
                "CONNECT 127.1:PORT",
                "CONNECT 2130706433:PORT",
                "CONNECT 0x7f000001:PORT",
                "CONNECT 0177.0.0.1:PORT",
                "CONNECT localhost:PORT",
                "CONNECT allowed%2eexample:PORT",
                "CONNECT http://allowed.example:PORT/",
                "GET http://evil.example:PORT/",
                "GET http://allowed.example/",
                "GET http://allowed.example:1/",
                "GET http://allowed.example:PORT@evil.example/",
                "GET http://allowed.example@evil.example:PORT/",
                "GET http://evil.example:PORT/http://allowed.example:PORT/",
                "GET http://evil.example:PORT?@allowed.example:PORT/",
                "GET http://evil.example:PORT#@allowed.example:PORT/",
                "GET http://evil.example\\@allowed.example:PORT/",
                "GET http://allowed.example.evil:PORT/",
                "GET http://allowed.example:PORT:1/",
                "GET http://[::1]:PORT/",
                "GET http:///allowed.example:PORT/",
                "GET http:allowed.example:PORT/",
                "GET https://allowed.example:PORT/",
                "GET ftp://allowed.example:PORT/",
                "GET //allowed.example:PORT/",
                "GET /",
                "GET *",
                "OPTIONS *",
                "PRI *"
            })
    void whatThePolicyDoesNotNameIsRefusedAndRecorded(String first) throws Exception {
        String line = first.replace("PORT", Integer.toString(server.port()));
        allow("decoy.example", server.port());
        String answer =
                ask(line + " HTTP/1.1\r\nHost: allowed.example:" + server.port() + "\r\n\r\n");
        if (first.contains(":0PORT")) {
            // The same number in another notation, which is the same place.
            assertThat(answer).startsWith("HTTP/1.1 ");
            return;
        }
        assertThat(answer).matches("(?s)HTTP/1\\.1 40[03] .*glovebox: .*");
        assertThat(only().fate()).isEqualTo(Fate.DENIED);
        assertThat(only().detail()).isNotEmpty();
        assertThat(log.refused().orElseThrow().detail()).startsWith("1 connection was refused (");
        assertThat(lookups).as("names that were asked for").isEmpty();
        assertThat(server.heard.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET URL HTTP/1.1\nHost: a\n\n",
                "GET URL HTTP/1.1\r\nHost: a\n\r\n",
                "GET URL HTTP/1.1\rHost: a\r\r",
                "GET URL HTTP/1.1\r\nA: b\r\n folded: c\r\n\r\n",
                "GET URL HTTP/1.1\r\nA : b\r\n\r\n",
                "GET URL HTTP/1.1\r\n: b\r\n\r\n",
                "GET URL HTTP/1.1\r\nA: b\0c\r\n\r\n",
                "GET URL HTTP/1.1\r\nnothing\r\n\r\n",
                "GET  URL HTTP/1.1\r\n\r\n",
                "GET URL  HTTP/1.1\r\n\r\n",
                "GET URL HTTP/1.1 \r\n\r\n",
                "GET URL HTTP/2.0\r\n\r\n",
                "GET URL\r\n\r\n",
                " GET URL HTTP/1.1\r\n\r\n",
                "\r\nGET URL HTTP/1.1\r\n\r\n",
                "GET\tURL\tHTTP/1.1\r\n\r\n",
                "POST URL HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST URL HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
                "POST URL HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
                "POST URL HTTP/1.1\r\nContent-Length: 3, 3\r\n\r\nabc",
                "POST URL HTTP/1.1\r\nContent-Length: +3\r\n\r\nabc",
                "POST URL HTTP/1.1\r\nContent-Length: 0x3\r\n\r\nabc",
                "POST URL HTTP/1.1\r\nContent-Length: -1\r\n\r\nabc",
                "POST URL HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\nabc",
                "POST URL HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
                "POST URL HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "POST URL HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                "POST URL HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "GET URL HTTP/1.1\r\nHalf: of it",
                "\u0016\u0003\u0001\u0002\r\n\r\n",
                "SSH-2.0-OpenSSH_9\r\n\r\n"
            })
    void whatCouldBeReadInTwoWaysIsNotPassedOn(String request) throws Exception {
        String answer = ask(request.replace("URL", allowedUrl()));
        assertThat(answer).startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(only().fate()).isEqualTo(Fate.DENIED);
        assertThat(server.heard.poll(50, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aSecondRequestBehindTheFirstReachesNobody() throws Exception {
        String second =
                "GET http://evil.example/ HTTP/1.1\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: allowed.example\r\n\r\n";
        String answer =
                ask("POST " + allowedUrl() + " HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc" + second);
        assertThat(answer).endsWith("\r\n\r\nhi");
        assertThat(server.heard()).endsWith("\r\n\r\nabc").doesNotContain("smuggled", "evil");
    }

    @Test
    void chunksAreWrittenAnewAndEndWhereTheySay() throws Exception {
        ask(
                "POST "
                        + allowedUrl()
                        + " HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n"
                        + "3;name=\"x\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n");
        assertThat(server.heard())
                .contains("\r\nTransfer-Encoding: chunked\r\n")
                .endsWith("\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1\r\n",
                "g\r\n",
                "\r\n",
                "fffffffff\r\n",
                "3\r\nabcd\r\n",
                "3\nabc\n0\n\n",
                "3 \r\nabc0\r\n"
            })
    void aChunkThatIsNotOneEndsTheRequest(String chunk) throws Exception {
        ask(
                "POST "
                        + allowedUrl()
                        + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + chunk
                        + "GET /smuggled HTTP/1.1\r\n\r\n");
        assertThat(server.heard()).doesNotContain("smuggled");
        assertThat(only().fate()).isEqualTo(Fate.DENIED);
    }

    @Test
    void fieldsWithoutEndAreRefused() throws Exception {
        String answer =
                ask(
                        "GET "
                                + allowedUrl()
                                + " HTTP/1.1\r\n"
                                + ("A: " + "b".repeat(1000) + "\r\n").repeat(100));
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(only().detail()).contains("longer than 65536");
    }

    @Test
    void fieldsWithoutNumberAreRefused() throws Exception {
        String answer =
                ask("GET " + allowedUrl() + " HTTP/1.1\r\n" + "a:\r\n".repeat(16_000) + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(only().detail()).contains("more than 256 fields");
    }

    @Test
    void connectionsThatEndedKeepNoMemory() throws Exception {
        open();
        long before = outsideTheHeap();
        for (int i = 0; i < 300; i++) {
            assertThat(ask("GET /nowhere HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 400 ");
        }
        assertThat(outsideTheHeap() - before).isLessThan(4 << 20);
    }

    private static long outsideTheHeap() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @Test
    void whoSaysNothingIsNotWaitedForAndDoesNotHoldUpOthers() throws Exception {
        open();
        List<Socket> silent = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket socket = new Socket(InetAddress.getLoopbackAddress(), gatePort);
                socket.getOutputStream().write('G');
                silent.add(socket);
            }
            assertThat(ask("GET " + allowedUrl() + " HTTP/1.1\r\n\r\n")).endsWith("hi");
            long start = System.nanoTime();
            for (Socket socket : silent) {
                socket.setSoTimeout(30_000);
                assertThat(readAll(socket.getInputStream())).isEmpty();
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(Duration.ofSeconds(7), Duration.ofSeconds(20));
        } finally {
            close(silent);
        }
    }

    @Test
    void moreConnectionsThanAllowedAtOnceAreRefusedAndLaterOnesServed() throws Exception {
        open();
        List<Socket> many = new ArrayList<>();
        try {
            for (int i = 0; i < Gate.MOST_AT_ONCE; i++) {
                many.add(new Socket(InetAddress.getLoopbackAddress(), gatePort));
            }
            Patience.within(5000, () -> log.connections(start).size() == Gate.MOST_AT_ONCE);
            assertThat(ask("GET " + allowedUrl() + " HTTP/1.1\r\n\r\n")).doesNotContain("200 OK");
            assertThat(log.connections(start).getLast().detail())
                    .isEqualTo("more than 64 connections at once");
        } finally {
            close(many);
        }
        assertThat(Patience.within(5000, this::served)).isTrue();
    }

    private boolean served() {
        try {
            return ask("GET " + allowedUrl() + " HTTP/1.1\r\n\r\n").endsWith("hi");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.9.9.9",
                "0.0.0.0",
                "169.254.169.254",
                "10.0.0.1",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.1.1",
                "100.64.0.1",
                "192.0.0.8",
                "198.18.0.1",
                "224.0.0.1",
                "255.255.255.255",
                "::1",
                "::",
                "fe80::1",
                "fc00::1",
                "fd00:ec2::254",
                "ff02::1",
                "::ffff:127.0.0.1",
                "64:ff9b::7f00:1",
                "2002:7f00:1::",
                "2001:0:7f00:1::"
            })
    void aNameThatLeadsToAnAddressThatIsNotPublicIsRefused(String address) throws Exception {
        names.put("rebound.example", List.of(address));
        allow("rebound.example", server.port() + 1);
        String answer = ask("CONNECT rebound.example:" + (server.port() + 1) + " HTTP/1.1\r\n\r\n");
        assertThat(answer).startsWith("HTTP/1.1 403 ").contains("no public address");
        assertThat(only().fate()).isEqualTo(Fate.DENIED);
    }

    @Test
    void anAddressOfThisMachineIsNotPublicEither() throws Exception {
        List<InetAddress> own =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(Inet4Address.class::isInstance)
                        .toList();
        assertThat(own).isNotEmpty();
        names.put("us.example", own.stream().map(InetAddress::getHostAddress).toList());
        allow("us.example", 1);
        assertThat(ask("CONNECT us.example:1 HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 403 ");
    }

    @Test
    void ofSeveralAddressesOnlyThoseThatMayBeReachedAreTried() throws Exception {
        names.put("mixed.example", List.of("169.254.169.254", "127.0.0.1"));
        allow("mixed.example", server.port());
        assertThat(ask("GET http://mixed.example:" + server.port() + "/ HTTP/1.1\r\n\r\n"))
                .endsWith("hi");
        assertThat(only().detail()).isEqualTo("127.0.0.1");
    }

    @Test
    void theAddressThatWasCheckedIsTheOneThatIsReached() throws Exception {
        ask("GET " + allowedUrl() + " HTTP/1.1\r\n\r\n");
        assertThat(lookups).containsExactly("allowed.example");
    }

    @Test
    void aHostThatIsNotThereIsAFailureAndNotARefusal() throws Exception {
        int closed;
        try (ServerSocket free = new ServerSocket(0)) {
            closed = free.getLocalPort();
        }
        allow("127.0.0.1", closed);
        allow("unknown.example", 80);
        assertThat(ask("CONNECT 127.0.0.1:" + closed + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 502 ");
        assertThat(ask("GET http://unknown.example/ HTTP/1.1\r\n\r\n")).startsWith("HTTP/1.1 502 ");
        assertThat(log.connections(start))
                .extracting(Connection::fate)
                .containsExactly(Fate.FAILED, Fate.FAILED);
        assertThat(log.refused()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
                "HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
                ""
            })
    void aServerThatAnswersNonsenseEndsTheConnection(String nonsense) throws Exception {
        try (Server odd = new Server(nonsense)) {
            allow("127.0.0.1", odd.port());
            String answer = ask("GET http://127.0.0.1:" + odd.port() + "/ HTTP/1.1\r\n\r\n");
            assertThat(answer).doesNotContain("\r\n\r\nhi");
        }
    }

    @Test
    void preliminaryAnswersHeadAndAnswersWithoutLengthArePassedOn() throws Exception {
        try (Server early =
                        new Server(
                                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nto the end");
                Server head = new Server("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")) {
            allow("127.0.0.1", early.port());
            allow("127.0.0.1", head.port());
            assertThat(
                            ask(
                                    "POST http://127.0.0.1:"
                                            + early.port()
                                            + "/ HTTP/1.1\r\nContent-Length: 0\r\n\r\n"))
                    .isEqualTo(
                            "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.0 200 OK\r\nConnection: close\r\n\r\nto the end");
            assertThat(ask("HEAD http://127.0.0.1:" + head.port() + "/ HTTP/1.1\r\n\r\n"))
                    .contains("Content-Length: 1000");
        }
    }

    @Test
    void aGateThatIsClosedLeavesNoConnectionOpen() throws Exception {
        open();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gatePort)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            ("CONNECT allowed.example:" + server.port() + " HTTP/1.1\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
            gate.ifPresent(Gate::close);
            assertThat(readAll(socket.getInputStream())).contains("200");
            assertThat(log.connections(start)).hasSize(1);
        } finally {
            gate = Optional.empty();
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().equals("glovebox-gate"));
    }
}
