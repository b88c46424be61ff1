package dev.glovebox.sandbox.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Connection.Fate;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Sandbox;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Programs that may talk to one host and want to talk to others. */
public abstract class HostileEgressKit extends HostileKit {

    /** How a program speaks to the gate by hand. */
    private static final String GATE =
            """
            import socket, threading
            def say(request, wait=True):
                gate = socket.create_connection(('127.0.0.1', 3128), 20)
                gate.sendall(request)
                if not wait:
                    return gate
                answer = b''
                while part := gate.recv(65536):
                    answer += part
                return answer.split(b'\\r\\n')[0].decode()
            """;

    @SuppressWarnings("NullAway.Init") // made before each test
    private WebServer allowed;

    @SuppressWarnings("NullAway.Init") // made before each test
    private WebServer forbidden;

    @BeforeEach
    final void startServers() throws IOException {
        promised(Promise.EGRESS_GATED);
        allowed = new WebServer().page("/", "fine".getBytes(UTF_8));
        forbidden = new WebServer().page("/", "secret".getBytes(UTF_8));
    }

    @AfterEach
    final void stopServers() {
        assertThat(forbidden.asked()).as("what the forbidden server was asked").isEmpty();
        allowed.close();
        forbidden.close();
    }

    private Policy allowing() {
        return policy().wall(seconds(30)).allow("127.0.0.1", allowed.port());
    }

    private Attack attackGate(String source) {
        Attack attack =
                attack(
                        allowing(),
                        GATE
                                + "ALLOWED, FORBIDDEN = %d, %d\n"
                                        .formatted(allowed.port(), forbidden.port())
                                + source);
        assertThat(attack.outcome()).as(attack.toString()).isEqualTo(new Outcome.Exited(0));
        return attack;
    }

    @Test
    void aProgramThatIgnoresTheGateHasNoNetwork() {
        Attack attack =
                attackGate(
                        """
                        def connect(address, port, kind=socket.SOCK_STREAM):
                            peer = socket.socket(socket.AF_INET6 if ':' in address else socket.AF_INET, kind)
                            peer.settimeout(5)
                            peer.connect((address, port))
                            peer.send(b'x')
                        attempt('allowed', lambda: connect('127.0.0.1', ALLOWED))
                        attempt('forbidden', lambda: connect('127.0.0.1', FORBIDDEN))
                        for address in '169.254.169.254', '10.0.0.1', '1.1.1.1', '2606:4700::1111':
                            attempt(address, lambda: connect(address, 80))
                            attempt('udp ' + address, lambda: connect(address, 53, socket.SOCK_DGRAM))
                        def lookup():
                            try:
                                socket.getaddrinfo('example.com', 80)
                            except socket.gaierror as e:
                                raise OSError(101, str(e))
                        attempt('name', lookup)
                        tell('routes', open('/proc/net/route').read().count('\\n') - 1)
                        tell('interfaces', [name for _, name in socket.if_nameindex()])
                        """);
        assertThat(attack.told()).hasSize(13);
        assertThat(attack.answer("routes")).isEqualTo("0");
        assertThat(attack.answer("interfaces")).isEqualTo("['lo']");
        attack.told()
                .forEach((name, answer) -> {
                    if (!name.equals("routes") && !name.equals("interfaces")) {
                        assertThat(answer)
                                .as(name)
                                .isIn(
                                        "ENETUNREACH",
                                        "EADDRNOTAVAIL",
                                        "EAFNOSUPPORT",
                                        "ECONNREFUSED");
                    }
                });
        assertThat(attack.result().connections()).isEmpty();
        assertThat(allowed.asked()).isEmpty();
    }

    @Test
    void everyTrickOfARequestIsRefusedAndRecorded() {
        Attack attack =
                attackGate(
                        """
                        tell('allowed', say(b'GET http://127.0.0.1:%d/ HTTP/1.1\\r\\n\\r\\n' % ALLOWED))
                        for place in (f'127.0.0.1:{FORBIDDEN}', f'localhost:{ALLOWED}', f'127.1:{ALLOWED}', f'[::1]:{ALLOWED}',
                                      f'127.0.0.1.:{ALLOWED}', f'0x7f.0.0.1:{ALLOWED}', '169.254.169.254:80', f'127.0.0.1@evil:{ALLOWED}'):
                            tell('CONNECT ' + place, say(f'CONNECT {place} HTTP/1.1\\r\\n\\r\\n'.encode()))
                        for url in (f'http://127.0.0.1:{FORBIDDEN}/', f'http://127.0.0.1:{ALLOWED}@127.0.0.1:{FORBIDDEN}/',
                                    f'http://127.0.0.1:{FORBIDDEN}#@127.0.0.1:{ALLOWED}/', '/', 'http://169.254.169.254/latest/meta-data/'):
                            tell('GET ' + url, say(f'GET {url} HTTP/1.1\\r\\nHost: 127.0.0.1:{ALLOWED}\\r\\n\\r\\n'.encode()))
                        """);
        assertThat(attack.answer("allowed")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(attack.told()).hasSize(14);
        attack.told()
                .forEach((name, answer) -> {
                    if (!name.equals("allowed")) {
                        assertThat(answer).as(name).startsWith("HTTP/1.1 40");
                    }
                });
        List<Connection> connections = attack.result().connections();
        assertThat(connections).hasSize(14);
        assertThat(connections.stream().filter(one -> one.fate() == Fate.DENIED)).hasSize(13);
        assertThat(attack.result().pressure())
                .singleElement()
                .satisfies(one ->
                        assertThat(one.detail())
                                .startsWith(
                                        "13 connections were refused (127.0.0.1:"
                                                + forbidden.port()))
                .extracting(Pressure::limit)
                .isEqualTo(Limit.NETWORK);
    }

    @Test
    void aRequestBehindAnAllowedOneIsNeverMade() {
        Attack attack =
                attackGate(
                        """
                        second = b'GET http://127.0.0.1:%d/second HTTP/1.1\\r\\n\\r\\n' % FORBIDDEN
                        tell('pipelined', say(b'GET http://127.0.0.1:%d/first HTTP/1.1\\r\\n\\r\\n' % ALLOWED + second * 2))
                        tell('both', say(b'POST http://127.0.0.1:%d/ HTTP/1.1\\r\\nContent-Length: 4\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n' % ALLOWED + second))
                        tell('folded', say(b'GET http://127.0.0.1:%d/ HTTP/1.1\\r\\nA: b\\r\\n Host: c\\r\\n\\r\\n' % ALLOWED))
                        tell('bare', say(b'GET http://127.0.0.1:%d/ HTTP/1.1\\nA: b\\n\\n' % ALLOWED))
                        tell('huge', say(b'GET http://127.0.0.1:%d/ HTTP/1.1\\r\\n' % ALLOWED + b'A: b\\r\\n' * 20000))
                        """);
        assertThat(attack.answer("pipelined")).isEqualTo("HTTP/1.1 404 Not Found");
        for (String name : "both folded bare huge".split(" ")) {
            assertThat(attack.answer(name)).as(name).isEqualTo("HTTP/1.1 400 Bad Request");
        }
        assertThat(allowed.asked()).containsExactly("GET /first");
    }

    @Test
    void thousandsOfConnectionsAreBoundedAndOthersServedAfterwards() {
        Attack attack =
                attackGate(
                        """
                        held = []
                        for i in range(200):
                            try:
                                held.append(say(b'G', wait=False))
                            except OSError:
                                pass
                        time.sleep(1)
                        for one in held:
                            one.close()
                        for i in range(2000):
                            socket.create_connection(('127.0.0.1', 3128), 20).close()
                        answer = ''
                        for i in range(200):
                            try:
                                answer = say(b'GET http://127.0.0.1:%d/ HTTP/1.1\\r\\n\\r\\n' % ALLOWED)
                            except OSError:
                                pass
                            if '200' in answer:
                                break
                            time.sleep(0.05)
                        tell('afterwards', answer)
                        """);
        assertThat(attack.answer("afterwards")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(attack.result().connections()).hasSize(1000);
        assertThat(attack.result().connections())
                .anyMatch(one -> one.detail().contains("64 connections at once"));
        assertThat(attack.result().pressure())
                .anyMatch(one ->
                        one.limit() == Limit.NETWORK
                                && one.detail().contains("more are not listed"));
    }

    @Test
    void neitherTheHostNorAnotherBoxReachesTheGate() throws IOException {
        String probe =
                """
                import socket
                attempt('gate', lambda: socket.create_connection(('127.0.0.1', 3128), 5))
                """;
        try (Sandbox box = open(allowing(), Language.PYTHON)) {
            assertThat(attack(box, probe).answer("gate")).as("from its own box").isEqualTo("done");
            assertThat(attack(probe).answer("gate"))
                    .as("from another box")
                    .isEqualTo("ECONNREFUSED");
            boolean taken;
            try (ServerSocket ours = new ServerSocket()) {
                ours.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 3128));
                taken = false;
            } catch (IOException e) {
                taken = true;
            }
            if (!taken) {
                try (Socket socket = new Socket()) {
                    InetSocketAddress gate =
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 3128);
                    assertThatThrownBy(() -> socket.connect(gate, 1000))
                            .isInstanceOf(ConnectException.class);
                }
            }
            assertThat(taken).as("a port of the host, which the gate must not take").isFalse();
        }
    }

    @Test
    void theGateCannotBeReplacedFromInside() {
        Attack attack =
                attackGate(
                        """
                        def listen(address, reuse):
                            one = socket.socket()
                            if reuse:
                                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                            one.bind((address, 3128))
                            one.listen()
                        for address in '127.0.0.1', '0.0.0.0':
                            for reuse in False, True:
                                attempt(f'{address} {reuse}', lambda: listen(address, reuse))
                        """);
        assertThat(attack.told()).hasSize(4);
        assertThat(attack.told().values()).containsOnly("EADDRINUSE");
    }

    @Test
    void aDaemonsConnectionsEndWithItsCommand() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Sandbox box =
                        open(policy().allow("127.0.0.1", silent.getLocalPort()), Language.PYTHON)) {
            Attack attack =
                    attack(
                            box,
                            GATE
                                    + """
                                    gate = say(b'CONNECT 127.0.0.1:%d HTTP/1.1\\r\\n\\r\\nmark', wait=False)
                                    tell('answer', gate.recv(100).decode().split('\\r\\n')[0])
                                    if os.fork() == 0:
                                        os.setsid()
                                        time.sleep(100)
                                    """
                                            .formatted(silent.getLocalPort()));
            assertThat(attack.answer("answer")).contains("200");
            try (Socket arrived = silent.accept()) {
                arrived.setSoTimeout(10_000);
                assertThat(new String(arrived.getInputStream().readAllBytes(), UTF_8))
                        .isEqualTo("mark");
            }
        }
    }
}
