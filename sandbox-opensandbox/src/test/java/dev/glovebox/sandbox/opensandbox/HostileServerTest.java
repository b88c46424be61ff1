package dev.glovebox.sandbox.opensandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.conformance.Walls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that lies, stalls, floods or dies gets nothing out of us and does not hold us up. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HostileServerTest {

    /** The server's boxes are jails. */
    @BeforeAll
    static void needsTheJail() {
        Walls.needed("jail");
    }

    private static final Policy POLICY = Policy.denyAll().wall(Duration.ofSeconds(20));

    private final BoxServer server = new BoxServer();

    @AfterEach
    void stop() {
        server.close();
    }

    private void answer(String path, String body) {
        server.trick =
                (exchange, asked) -> {
                    if (!asked.contains(path)) {
                        return false;
                    }
                    BoxServer.answer(
                            exchange, 200, body.getBytes(StandardCharsets.UTF_8), "text/plain");
                    return true;
                };
    }

    private void assertNoBox(String control) {
        assertThatThrownBy(() -> server.tier().open(POLICY).close())
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo(control))
                .hasMessageNotContaining(BoxServer.KEY);
        assertThat(server.boxes).as("left on the server").isEmpty();
    }

    // What is not in force

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "no json",
                "{\"enforcementMode\":\"dns\",\"policy\":{\"defaultAction\":\"deny\",\"egress\":[]}}",
                "{\"enforcementMode\":\"dns+nft\",\"policy\":{\"defaultAction\":\"allow\"}}",
                "{\"enforcementMode\":\"dns+nft\",\"policy\":{\"defaultAction\":\"deny\","
                        + "\"egress\":[{\"action\":\"allow\",\"target\":\"*\"}]}}"
            })
    void aNetworkThatIsNotDeniedIsAnError(String told) {
        answer("/proxy/18080/policy", told);
        assertNoBox("network");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}", "{\"mem_total_mib\":4096,\"cpu_count\":1}", "{\"mem_total_mib\":-1}"})
    void memoryThatIsNotBoundedIsAnError(String told) {
        answer("/metrics", told);
        assertNoBox("memory");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"mem_total_mib\":256}", "{\"mem_total_mib\":256,\"cpu_count\":8}"})
    void processorsThatAreNotBoundedAreAnError(String told) {
        answer("/metrics", told);
        assertNoBox("cpus");
    }

    @Test
    void theReceiptTellsWhatTheServerSaysAndNotWhatWasAsked() {
        answer("/metrics", "{\"mem_total_mib\":128,\"cpu_count\":0.5}");
        try (Sandbox box = server.tier().open(POLICY)) {
            server.trick = (exchange, path) -> false;
            Result result = box.run(Program.bash("true"));
            assertThat(result.receipt().control("memory").orElseThrow().value())
                    .isEqualTo("128MiB");
            assertThat(result.receipt().control("cpus").orElseThrow().value()).isEqualTo("0.5");
            assertThat(result.receipt().control("machine").orElseThrow().value())
                    .contains("somebody else's", server.authority());
            assertThat(result.receipt().toString()).doesNotContain(BoxServer.KEY);
        }
    }

    @Test
    void aCgroupThatTheBoxShowsIsReadBack() {
        server.trick =
                (exchange, path) -> {
                    String file = BoxServer.query(exchange).getOrDefault("path", "");
                    if (!file.startsWith("/sys/fs/cgroup/")) {
                        return false;
                    }
                    String told = file.endsWith("memory.max") ? "268435456\n" : "100000 100000\n";
                    BoxServer.answer(
                            exchange, 200, told.getBytes(StandardCharsets.UTF_8), "text/plain");
                    return true;
                };
        Policy strict = POLICY.memoryEnforcement(Policy.MemoryEnforcement.TREE);
        try (Sandbox box = server.tier().open(strict)) {
            assertThat(box.run(Program.bash("true")).receipt().control("memory").orElseThrow().by())
                    .startsWith("tree");
        }
    }

    // Answers

    @ParameterizedTest
    @ValueSource(
            strings = {
                "169.254.169.254/latest",
                "example.com:80/x",
                "127.0.0.1:1@example.com/",
                "127.0.0.1:1/a-port-of-this-machine",
                "user@127.0.0.1/",
                "127.0.0.1/../../x",
                "",
                "a b",
                "127.0.0.1\r\nX: y"
            })
    void anEndpointElsewhereIsNotFollowed(String place) {
        ObjectNode told = Wire.JSON.createObjectNode().put("endpoint", place);
        answer("/endpoints/44772", told.toString());
        assertNoBox("isolation");
    }

    @Test
    void aRedirectIsNotFollowedAndTheKeyGoesNowhereElse() {
        try (BoxServer elsewhere = new BoxServer()) {
            server.trick =
                    (exchange, path) -> {
                        exchange.getResponseHeaders()
                                .set("Location", "http://" + elsewhere.authority() + path);
                        exchange.sendResponseHeaders(307, -1);
                        return true;
                    };
            assertNoBox("isolation");
            assertThat(elsewhere.keys).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[", "{\"id\":7}", "{\"id\":\"../../x\"}", "{\"id\":\"\"}"})
    void aBoxWithoutAnIdIsNone(String told) {
        answer("/v1/sandboxes", told);
        assertNoBox("isolation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a?b", "a%2fb", "a#b", ".", "..", "a b", "\u00e4", "\u0000"})
    void anIdThatIsNoNameIsNoId(String id) {
        answer("/v1/sandboxes", Wire.JSON.createObjectNode().put("id", id).toString());
        assertNoBox("isolation");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Host",
                "Content-Length",
                "Authorization",
                "open-sandbox-api-key",
                "X-A\r\nB",
                "X-"
            })
    void headersThatAreOursAreNotForAServerToChoose(String name) {
        ObjectNode told = Wire.JSON.createObjectNode().put("endpoint", server.authority() + "/x");
        told.putObject("headers").put(name, "value");
        answer("/endpoints/44772", told.toString());
        assertNoBox("isolation");
    }

    @Test
    void aKeyThatTheServerRepeatsIsNotShown() {
        server.trick =
                (exchange, path) -> {
                    BoxServer.refuse(exchange, 401, "no such key: " + BoxServer.KEY + "!");
                    return true;
                };
        assertNoBox("isolation");
        assertThat(server.tier().probe())
                .asString()
                .contains("no such key: …!")
                .doesNotContain(BoxServer.KEY);
    }

    @Test
    void anInterpreterWithAnImpossiblePathIsNone() {
        String found = "python3 /usr/bin/py\0thon 3.11\nbash /bin/bash 5.2\n";
        answer(
                "/command",
                """
                {"type":"stdout","text":"s"}

                {"type":"stdout","text":"o%s"}

                {"type":"stdout","text":"x{\\"kind\\":\\"ended\\",\\"status\\":0}"}

                """
                        .formatted(
                                Base64.getEncoder()
                                        .encodeToString(found.getBytes(StandardCharsets.UTF_8))));
        OpenSandboxTier tier = server.tier();
        assertThat(tier.interpreter(Language.BASH, POLICY)).isPresent();
        assertThat(tier.interpreter(Language.PYTHON, POLICY)).isEmpty();
    }

    @Test
    void anEndlessAnswerIsCutOff() {
        server.trick = HostileServerTest::flood;
        assertNoBox("isolation");
    }

    private static boolean flood(HttpExchange exchange, String path) throws IOException {
        exchange.getRequestBody().readAllBytes();
        exchange.sendResponseHeaders(200, 0);
        byte[] piece = "[".repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
        while (true) {
            exchange.getResponseBody().write(piece);
        }
    }

    // Files

    @Test
    void aListOfWhatIsNotInTheDirectoryIsRefused() {
        try (Sandbox box = server.tier().open(POLICY)) {
            for (String path :
                    new String[] {
                        "/etc/passwd",
                        BoxServer.SCRATCH + "/scratch/../x",
                        BoxServer.SCRATCH + "/scratch/..",
                        BoxServer.SCRATCH + "/scratch/a/b",
                        BoxServer.SCRATCH + "/scratch",
                        ""
                    }) {
                ObjectNode entry = entry("file", 1).put("path", path);
                answer("/directories/list", Wire.JSON.createArrayNode().add(entry).toString());
                assertThatThrownBy(() -> box.files().list("")).isInstanceOf(FileRefused.class);
            }
        }
    }

    private static ObjectNode entry(String type, long size) {
        return Wire.JSON
                .createObjectNode()
                .put("type", type)
                .put("size", size)
                .put("mode", 644)
                .put("modified_at", "2026-01-01T00:00:00Z");
    }

    private void tell(String path, ObjectNode entry) {
        ObjectNode told = Wire.JSON.createObjectNode();
        told.set(BoxServer.SCRATCH + "/scratch/" + path, entry);
        answer("/files/info", told.toString());
    }

    @Test
    void aLinkIsNeitherReadNorWritten() {
        try (Sandbox box = server.tier().open(POLICY)) {
            tell("link", entry("symlink", 1));
            assertThatThrownBy(() -> box.files().read("link")).isInstanceOf(FileRefused.class);
            assertThatThrownBy(() -> box.files().write("link", new byte[1]))
                    .isInstanceOf(FileRefused.class);
            assertThatThrownBy(() -> box.files().read("link/below"))
                    .isInstanceOf(FileRefused.class);
            assertThatThrownBy(() -> box.files().write("link/below", new byte[1]))
                    .isInstanceOf(FileRefused.class);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MAX_VALUE, 1L << 40})
    void aFileOfAnAbsurdSizeIsRefused(long size) {
        try (Sandbox box = server.tier().open(POLICY)) {
            tell("file", entry("file", size));
            assertThatThrownBy(() -> box.files().read("file")).isInstanceOf(FileRefused.class);
        }
    }

    @Test
    void resultFilesThatAreMoreThanTheDiskAreLeftOut() {
        Policy small = POLICY.disk(Bytes.kibibytes(64));
        try (Sandbox box = server.tier().open(small)) {
            server.trick =
                    (exchange, path) -> {
                        String file = BoxServer.query(exchange).getOrDefault("path", "");
                        if (path.endsWith("/files/info") && file.matches(".*/scratch/[a-d]")) {
                            ObjectNode told = Wire.JSON.createObjectNode();
                            told.set(file, entry("file", 64 << 10));
                            BoxServer.answer(exchange, 200, told);
                            return true;
                        }
                        if (path.endsWith("/files/download")) {
                            BoxServer.answer(exchange, 200, new byte[64 << 10], "text/html");
                            return true;
                        }
                        return false;
                    };
            Program program =
                    Program.command("true").output("a").output("b").output("c").output("d");
            Result result = box.run(program);
            assertThat(result.files()).containsOnlyKeys("a", "b");
            assertThat(result.refusedFiles()).containsOnlyKeys("c", "d");
        }
    }

    @Test
    void aFileThatIsLongerThanTheDiskIsCutOff() {
        try (Sandbox box = server.tier().open(POLICY.disk(Bytes.kibibytes(64)))) {
            box.files().write("file", new byte[10]);
            server.trick =
                    (exchange, path) -> path.endsWith("/files/download") && flood(exchange, path);
            assertThatThrownBy(() -> box.files().read("file"))
                    .isInstanceOf(FileRefused.class)
                    .hasMessageContaining("too large");
        }
    }

    @Test
    void anUploadThatIsLostIsFoundOut() {
        try (Sandbox box = server.tier().open(POLICY)) {
            answer("/files/upload", "{}");
            assertThatThrownBy(() -> box.files().write("file", new byte[10]))
                    .isInstanceOf(FileRefused.class);
        }
    }

    // Commands

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{not json\n\n",
                "{\"type\":\"stdout\",\"text\":\"s\"}\n\n{\"type\":\"stdout\",\"text\":\"o%%%\"}\n\n",
                "{\"type\":\"stdout\",\"text\":\"s\"}\n\n{\"type\":\"stdout\",\"text\":\"xx\"}\n\n",
                "{\"type\":\"stdout\",\"text\":\"s\"}\n\n"
            })
    void garbageInsteadOfEventsIsAnUnknownEnd(String told) {
        try (Sandbox box = server.tier().open(POLICY)) {
            answer("/command", told);
            assertThat(box.run(Program.command("true")).outcome())
                    .isInstanceOf(Outcome.Unknown.class);
        }
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void aBoxWithoutPythonStartsNothing() {
        answer(
                "/command",
                """
                {"type":"stderr","text":"python3: not found"}

                {"type":"error","error":{"evalue":"127"}}

                """);
        assertThatThrownBy(() -> server.tier().open(POLICY))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("python3: not found");
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void anEventWithoutEndIsCutOff() {
        try (Sandbox box = server.tier().open(POLICY)) {
            server.trick = (exchange, path) -> path.endsWith("/command") && flood(exchange, path);
            // Its events begin with nothing that is JSON, and do not end.
            assertThat(box.run(Program.command("true")).outcome())
                    .isInstanceOf(Outcome.Unknown.class);
        }
    }

    @Test
    void aServerThatDiesInTheMiddleIsAnUnknownEnd() throws Exception {
        try (Sandbox box = server.tier().open(POLICY)) {
            CountDownLatch running = new CountDownLatch(1);
            Execution execution =
                    box.start(Program.bash("echo running; sleep 60"), chunk -> running.countDown());
            running.await();
            server.die();
            Result result = execution.await();
            assertThat(result.outcome()).isInstanceOf(Outcome.Unknown.class);
            assertThat(result.stdout().text()).isEqualTo("running\n");
            assertThat(result.usage().wall()).isLessThan(POLICY.limits().wall());
            assertThatThrownBy(() -> box.run(Program.bash("true"))).isInstanceOf(BoxGone.class);
        }
    }

    @Test
    void onAServerThatIsGoneNothingIsStarted() {
        try (Sandbox box = server.tier().open(POLICY)) {
            server.die();
            assertThat(box.run(Program.bash("true")).outcome())
                    .isInstanceOf(Outcome.NotStarted.class);
        }
    }

    @Test
    void aLineThatFallsSilentIsGivenUp() {
        try (Sandbox box = server.tier().open(POLICY)) {
            server.trick =
                    (exchange, path) -> {
                        if (path.endsWith("/command")) {
                            exchange.getRequestBody().readAllBytes();
                            exchange.sendResponseHeaders(200, 0);
                            OutputStream out = exchange.getResponseBody();
                            out.write(
                                    "{\"type\":\"stdout\",\"text\":\"s\"}\n\n"
                                            .getBytes(StandardCharsets.UTF_8));
                            out.flush();
                            sleep();
                            return true;
                        }
                        return false;
                    };
            assertThat(box.run(Program.command("true")).outcome())
                    .isEqualTo(new Outcome.Unknown("nothing was heard of it for 10 s"));
        }
    }

    @Test
    void aServerThatDoesNotLetUsKillDoesNotHoldUpACancel() throws Exception {
        try (Sandbox box = server.tier().open(POLICY)) {
            CountDownLatch running = new CountDownLatch(1);
            Execution execution =
                    box.start(Program.bash("echo running; sleep 60"), chunk -> running.countDown());
            running.await();
            server.trick =
                    (exchange, path) -> {
                        if (path.endsWith("/files/upload")) {
                            sleep();
                            return true;
                        }
                        return false;
                    };
            execution.cancel("enough");
            assertThat(execution.await().outcome()).isEqualTo(new Outcome.Cancelled("enough"));
        }
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void anEndIsAnEndThoughTheServerGoesOn() {
        try (Sandbox box = server.tier().open(POLICY)) {
            server.trick =
                    (exchange, path) -> {
                        if (!path.endsWith("/command")) {
                            return false;
                        }
                        exchange.getRequestBody().readAllBytes();
                        exchange.sendResponseHeaders(200, 0);
                        String told =
                                """
                                {"type":"stdout","text":"s"}

                                {"type":"stdout","text":"x{\\"kind\\":\\"ended\\",\\"status\\":768}"}

                                """;
                        exchange.getResponseBody().write(told.getBytes(StandardCharsets.UTF_8));
                        exchange.getResponseBody().flush();
                        sleep();
                        return true;
                    };
            assertThat(box.run(Program.command("true")).outcome()).isEqualTo(new Outcome.Exited(3));
        }
    }

    private static void sleep() {
        try {
            Thread.sleep(Duration.ofMinutes(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
