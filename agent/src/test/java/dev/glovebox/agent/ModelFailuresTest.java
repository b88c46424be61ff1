package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.KEYS;
import static dev.glovebox.agent.Vendors.failure;
import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a vendor refuses, breaks off or never says, and whether it is worth another try. */
class ModelFailuresTest {

    @ParameterizedTest
    @CsvSource({
        "openai,401,bad key,invalid-key,false",
        "openai,404,no such model,no-such-model,false",
        "openai,400,This model's maximum context length is 8192 tokens,context-too-long,false",
        "openai,400,something else,invalid-request,false",
        "openai,429,slow down,rate-limit,true",
        "openai,500,oops,overloaded,true",
        "openai,503,oops,overloaded,true",
        "anthropic,401,bad key,invalid-key,false",
        "anthropic,400,prompt is too long: 210000 tokens > 200000 maximum,context-too-long,false",
        "anthropic,429,slow down,rate-limit,true",
        "anthropic,529,overloaded,overloaded,true",
        "anthropic,413,request too large,context-too-long,false",
        "openai,429,insufficient_quota: pay first,rate-limit,false",
        "openai,429,'Request too large for gpt-4o: Limit 30000, Requested 36278',context-too-long,false",
        "openai,400,Your prompt was flagged as potentially violating our usage policy,refused,false",
        "openai,400,content_filter: filtered due to the prompt,refused,false",
        "anthropic,400,Output blocked by content filtering policy,refused,false",
        "google,429,Over GenerateRequestsPerDayPerProjectPerModel-FreeTier,rate-limit,false",
        "google,400,API key not valid. Please pass a valid API key.,invalid-key,false",
        "google,400,something else,invalid-request,false",
        "google,404,no such model,no-such-model,false",
        "google,429,slow down,rate-limit,true",
        "google,503,overloaded,overloaded,true",
        "ollama,404,model not found,no-such-model,false",
        "ollama,400,does not support tools,invalid-request,false",
        "ollama,500,oops,overloaded,true",
    })
    void whatVendorsRefuseHasACodeAndIsTriedAgainOnlyWhereThatHelps(
            String vendor, int status, String message, String code, boolean passing) {
        try (VendorServer server = server(vendor, Turn.fails(status, message))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.isPassing()).isEqualTo(passing);
            assertThat(failure).hasMessageContaining(message);
            assertThat(server.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "openai,429,2,rate-limit,PT2S",
        "openai,503,2,overloaded,PT2S",
        "anthropic,429,2,rate-limit,PT2S",
        "anthropic,529,60,overloaded,PT1M",
        "google,429,2,rate-limit,PT2S",
        "google,503,34.074824224,overloaded,PT34.074824224S",
        "google,429,soon,rate-limit,PT0S",
        "google,429,99999999999999999999,rate-limit,PT0S",
        "anthropic,529,soon,overloaded,PT0S",
        "anthropic,429,-5,rate-limit,PT0S",
        "anthropic,429,99999999999999999999,rate-limit,PT0S",
    })
    void whatAVendorSaysOfWhenToComeBackIsHeard(
            String vendor, int status, String time, String code, Duration heard) {
        try (VendorServer server = server(vendor, Turn.fails(status, "busy").retryAfter(time))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.isPassing()).isTrue();
            assertThat(failure).hasMessageContaining("busy");
            assertThat(failure.after().orElse(Duration.ZERO)).isEqualTo(heard);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "openai,61",
        "google,60.5",
        "anthropic,9999999999",
        "anthropic,'Tue, 31 Dec 2999 23:59:59 GMT'"
    })
    void whoWantsToBeLeftAloneForLongIsNotWaitedFor(String vendor, String time) {
        try (VendorServer server = server(vendor, Turn.fails(429, "busy").retryAfter(time))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.code()).isEqualTo("rate-limit");
            assertThat(failure.isPassing()).isFalse();
            assertThat(failure).hasMessageContaining("not before PT");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "openai,cut,unreachable",
        "openai,ends,unreachable",
        "openai,breaks,overloaded",
        "openai,garbage,malformed-answer",
        "openai,half,malformed-answer",
        "anthropic,cut,unreachable",
        "anthropic,ends,unreachable",
        "anthropic,breaks,overloaded",
        "anthropic,garbage,malformed-answer",
        "anthropic,half,malformed-answer",
        "google,cut,unreachable",
        "google,ends,unreachable",
        "google,breaks,overloaded",
        "google,garbage,malformed-answer",
        "google,half,malformed-answer",
        "ollama,cut,unreachable",
        "ollama,ends,unreachable",
        "ollama,breaks,overloaded",
        "ollama,garbage,malformed-answer",
        "ollama,half,malformed-answer",
    })
    void anAnswerThatIsNoneIsAPassingFailureAtOnce(String vendor, String how, String code) {
        String begun = "A long answer that nobody will see the end of";
        Turn turn =
                switch (how) {
                    case "cut" -> new Turn.Cut(begun);
                    case "ends" -> new Turn.Ends(begun);
                    case "breaks" -> new Turn.Breaks(begun, "something broke");
                    case "half" -> new Turn.Garbage("{\"choices\":[{\"delta\":");
                    default -> new Turn.Garbage("<html>no</html>");
                };
        try (VendorServer server = server(vendor, turn)) {
            Failure failure = failure(model(vendor, server));
            // Whoever waits for an end that does not come would say time-out.
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.isPassing()).isTrue();
            assertThat(failure).hasMessageStartingWith(vendor + ":test: ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google"})
    void whatAVendorDoesNotWantToAnswerIsRefused(String vendor) {
        try (VendorServer server = server(vendor, new Turn.Refuses("That is not allowed"))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.code()).isEqualTo("refused");
            assertThat(failure.isPassing()).isFalse();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "400,The maximum context length is 8192 tokens,context-too-long,false",
        "402,Insufficient credits,invalid-request,false",
        "429,slow down,rate-limit,true",
        "502,Provider returned error,overloaded,true",
    })
    void aStatusThatComesInTheMiddleIsOneAsWell(
            int status, String message, String code, boolean passing) {
        String error = "{\"error\":{\"message\":\"%s\",\"code\":%d}}".formatted(message, status);
        try (VendorServer server = server("openai", new Turn.Garbage(error))) {
            Failure failure = failure(model("openai", server));
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.isPassing()).isEqualTo(passing);
        }
    }

    @Test
    void whatAFilterBlocksInTheMiddleIsRefused() {
        String blocked =
                """
                {"type":"error","error":{"type":"invalid_request_error",\
                "message":"Output blocked by content filtering policy"}}\
                """;
        try (VendorServer server = server("anthropic", new Turn.Garbage(blocked))) {
            Failure failure = failure(model("anthropic", server));
            assertThat(failure.code()).isEqualTo("refused");
            assertThat(failure.isPassing()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google"})
    void aKeyThatAServerRepeatsIsNotTold(String vendor) {
        String key = "sk-0123456789abcdef";
        Turn refused = Turn.fails(401, "Incorrect API key provided: " + key + ". Get one.");
        Turn broken = new Turn.Breaks("Well", "nobody answers to " + key);
        try (VendorServer server = server(vendor, refused, broken)) {
            ModelSpec spec = ModelSpec.of(vendor + ":test@" + server.address());
            Model model = Models.open(spec, Map.of(spec.vendor().variable(), key));
            for (String told : List.of("Incorrect API key provided: [", "nobody answers to [")) {
                assertThat(failure(model)).hasMessageContaining(told).hasMessageNotContaining(key);
            }
        }
    }

    @Test
    void whereNobodyListensIsSaidWhatToLookAt() {
        Model model = Models.open("ollama:test@http://localhost:1", KEYS);
        Failure failure = failure(model);
        assertThat(failure.code()).isEqualTo("unreachable");
        assertThat(failure).hasMessageContaining("Is the server running");
        assertThat(failure.used()).contains(Cost.NONE.modelCalls(1));
    }

    @Test
    void whereNoEncryptionIsAgreedOnNobodyWasAskedAndIsPaid() throws Exception {
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // It has no certificate.
        server.setHttpsConfigurator(new HttpsConfigurator(SSLContext.getDefault()));
        server.start();
        try {
            String address = "https://localhost:" + server.getAddress().getPort() + "/v1";
            Failure failure = failure(Models.open("openai:x@" + address, KEYS));
            assertThat(failure.code()).isEqualTo("unreachable");
            assertThat(failure).hasMessageContaining("Is its certificate");
            assertThat(failure.used()).contains(Cost.NONE.modelCalls(1));
        } finally {
            server.stop(0);
        }
    }

    /** One closes the connection, and the other one, which is Java's own, says nothing. */
    @Test
    void anAddressThatSaysHttpsOfAServerThatDoesNotEncryptIsToldAndNotAskedAgain()
            throws Exception {
        try (ServerSocket server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
                VendorServer silent = server("openai", Turn.says("never"))) {
            Thread.ofVirtual().start(() -> answerPlainly(server));
            for (int port : List.of(server.getLocalPort(), silent.address().getPort())) {
                Failure failure =
                        failure(Models.open("openai:x@https://localhost:" + port + "/v1", KEYS));
                assertThat(failure.isPassing()).isFalse();
                assertThat(failure).hasMessageContaining("its address begins with http://");
            }
        }
    }

    private static void answerPlainly(ServerSocket server) {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                byte[] found = "HTTP/1.1 404 Not Found\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
                socket.getOutputStream().write(found);
            } catch (IOException e) {
                // The test is over, or whoever asked has heard enough.
            }
        }
    }

    @Test
    void anAddressThatSaysHttpOfAServerThatEncryptsIsToldAndNotAskedAgain(@TempDir Path folder)
            throws Exception {
        HttpsServer server =
                HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context(folder.resolve("keys"))));
        server.start();
        try {
            String address = "http://localhost:" + server.getAddress().getPort() + "/v1";
            Failure failure = failure(Models.open("openai:x@" + address, KEYS));
            assertThat(failure.isPassing()).isFalse();
            assertThat(failure).hasMessageContaining("its address begins with https://");
        } finally {
            server.stop(0);
        }
    }

    /** With a certificate that it has made itself. */
    private static SSLContext context(Path keys) throws Exception {
        String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        char[] password = "not secret".toCharArray();
        Process made =
                new ProcessBuilder(
                                keytool,
                                "-genkeypair",
                                "-alias",
                                "it",
                                "-keyalg",
                                "EC",
                                "-dname",
                                "CN=localhost",
                                "-keystore",
                                keys.toString(),
                                "-storepass",
                                String.valueOf(password))
                        .start();
        assertThat(made.waitFor()).isZero();
        KeyStore store = KeyStore.getInstance(keys.toFile(), password);
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(store, password);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own.getKeyManagers(), null, null);
        return context;
    }

    @Test
    void aServerThatHasNoAddressIsToldLikeOneThatIsNotThere() {
        Failure failure = failure(Models.open("openai:x@http://nowhere.invalid/v1", KEYS));
        assertThat(failure).hasMessageContaining("Is the server running");
        assertThat(failure.used()).contains(Cost.NONE.modelCalls(1));
    }

    @Test
    void aLineWithoutAnEndDoesNotFillTheMemory() {
        Turn line = new Turn.Garbage("x".repeat(5 << 20));
        try (VendorServer server = server("openai", line)) {
            Failure failure = failure(model("openai", server));
            assertThat(failure.code()).isEqualTo("unreachable");
            assertThat(failure).hasMessageContaining("longer than");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void anAddressThatLeadsElsewhereIsNamedAndNotFollowed(String vendor) {
        Turn moved = new Turn.Fails(302, "", Map.of("Location", "http://elsewhere/v2"));
        try (VendorServer server = server(vendor, moved)) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure).hasMessageContaining("but at http://elsewhere/v2");
            assertThat(failure.isPassing()).isFalse();
        }
    }
}
