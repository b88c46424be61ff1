package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Connection.Fate;
import java.net.ServerSocket;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gate passes on, byte by byte; here in our own network. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class GateTest {

    @AutoClose private final TestGate gate = new TestGate();

    @Test
    void aRequestIsPassedOnAsTheServerExpectsIt() throws Exception {
        String answer =
                gate.ask(
                        "GET "
                                + gate.allowedUrl()
                                + " HTTP/1.1\r\nHost: allowed.example\r\nAccept: */*\r\n"
                                + "Proxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\n"
                                + "Connection: X-Private\r\nX-Private: 1\r\n\r\n");
        assertThat(answer)
                .isEqualTo("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
        assertThat(gate.server().heard())
                .isEqualTo(
                        "GET /path?q=1 HTTP/1.1\r\nAccept: */*\r\nHost: allowed.example:"
                                + gate.server().port()
                                + "\r\nConnection: close\r\n\r\n");
        Connection connection = gate.only();
        assertThat(connection.fate()).isEqualTo(Fate.ALLOWED);
        assertThat(connection.place()).isEqualTo("allowed.example:" + gate.server().port());
        assertThat(connection.detail()).isEqualTo("127.0.0.1");
        assertThat(connection.received().count()).isEqualTo(OneAnswerServer.OK.length());
        assertThat(connection.sent().count()).isPositive();
        assertThat(gate.refused()).isEmpty();
    }

    @Test
    void theRequestLineDecidesAndNotTheHostField() throws Exception {
        gate.ask(
                "GET "
                        + gate.allowedUrl()
                        + " HTTP/1.1\r\nHost: evil.example\r\nhost: other.example\r\n\r\n");
        assertThat(gate.server().heard())
                .contains("\r\nHost: allowed.example:")
                .doesNotContain("evil", "other");
    }

    @Test
    void aTunnelPassesBytesBothWaysAndTellsBothEnds() throws Exception {
        String answer =
                gate.ask(
                        "CONNECT ALLOWED.example:"
                                + gate.server().port()
                                + " HTTP/1.1\r\n\r\n\0raw\n\n");
        assertThat(answer)
                .isEqualTo("HTTP/1.1 200 Connection established\r\n\r\n" + OneAnswerServer.OK);
        assertThat(gate.server().heard()).isEqualTo("\0raw\n\n");
        assertThat(gate.only().sent().count()).isEqualTo(6);
        assertThat(gate.only().received().count()).isEqualTo(OneAnswerServer.OK.length());
    }

    @Test
    void aHostThatIsNotThereIsAFailureAndNotARefusal() throws Exception {
        int closed;
        try (ServerSocket free = new ServerSocket(0)) {
            closed = free.getLocalPort();
        }
        gate.allow("127.0.0.1", closed);
        gate.allow("unknown.example", 80);
        assertThat(gate.ask("CONNECT 127.0.0.1:" + closed + " HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 502 ");
        assertThat(gate.ask("GET http://unknown.example/ HTTP/1.1\r\n\r\n"))
                .startsWith("HTTP/1.1 502 ");
        assertThat(gate.connections())
                .extracting(Connection::fate)
                .containsExactly(Fate.FAILED, Fate.FAILED);
        assertThat(gate.refused()).isEmpty();
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
        try (OneAnswerServer odd = new OneAnswerServer(nonsense)) {
            gate.allow("127.0.0.1", odd.port());
            String answer = gate.ask("GET http://127.0.0.1:" + odd.port() + "/ HTTP/1.1\r\n\r\n");
            assertThat(answer).doesNotContain("\r\n\r\nhi");
        }
    }

    @Test
    void preliminaryAnswersHeadAndAnswersWithoutLengthArePassedOn() throws Exception {
        try (OneAnswerServer early =
                        new OneAnswerServer(
                                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\nto the end");
                OneAnswerServer head =
                        new OneAnswerServer("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")) {
            gate.allow("127.0.0.1", early.port());
            gate.allow("127.0.0.1", head.port());
            assertThat(
                            gate.ask(
                                    "POST http://127.0.0.1:"
                                            + early.port()
                                            + "/ HTTP/1.1\r\nContent-Length: 0\r\n\r\n"))
                    .isEqualTo(
                            "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.0 200 OK\r\nConnection: close\r\n\r\nto the end");
            assertThat(gate.ask("HEAD http://127.0.0.1:" + head.port() + "/ HTTP/1.1\r\n\r\n"))
                    .contains("Content-Length: 1000");
        }
    }
}
