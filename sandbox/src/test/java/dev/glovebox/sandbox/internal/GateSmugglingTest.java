package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Connection.Fate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A gate passes on no request that somebody else could read in another way. */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
final class GateSmugglingTest {

    @AutoClose private final TestGate gate = new TestGate();

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
        String answer = gate.ask(request.replace("URL", gate.allowedUrl()));
        assertThat(answer).startsWith("HTTP/1.1 400 Bad Request\r\n");
        assertThat(gate.only().fate()).isEqualTo(Fate.DENIED);
        assertThat(gate.server().heardSoon()).isNull();
    }

    @Test
    void aSecondRequestBehindTheFirstReachesNobody() throws Exception {
        String second =
                "GET http://evil.example/ HTTP/1.1\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: allowed.example\r\n\r\n";
        String answer =
                gate.ask(
                        "POST "
                                + gate.allowedUrl()
                                + " HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
                                + second);
        assertThat(answer).endsWith("\r\n\r\nhi");
        assertThat(gate.server().heard())
                .endsWith("\r\n\r\nabc")
                .doesNotContain("smuggled", "evil");
    }

    @Test
    void chunksAreWrittenAnewAndEndWhereTheySay() throws Exception {
        gate.ask(
                "POST "
                        + gate.allowedUrl()
                        + " HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n"
                        + "3;name=\"x\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: 1\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n");
        assertThat(gate.server().heard())
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
        gate.ask(
                "POST "
                        + gate.allowedUrl()
                        + " HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                        + chunk
                        + "GET /smuggled HTTP/1.1\r\n\r\n");
        assertThat(gate.server().heard()).doesNotContain("smuggled");
        assertThat(gate.only().fate()).isEqualTo(Fate.DENIED);
    }

    @Test
    void fieldsWithoutEndAreRefused() throws Exception {
        String answer =
                gate.ask(
                        "GET "
                                + gate.allowedUrl()
                                + " HTTP/1.1\r\n"
                                + ("A: " + "b".repeat(1000) + "\r\n").repeat(100));
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(gate.only().detail()).contains("longer than 65536");
    }

    @Test
    void fieldsWithoutNumberAreRefused() throws Exception {
        String answer =
                gate.ask(
                        "GET "
                                + gate.allowedUrl()
                                + " HTTP/1.1\r\n"
                                + "a:\r\n".repeat(16_000)
                                + "\r\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(gate.only().detail()).contains("more than 256 fields");
    }
}
