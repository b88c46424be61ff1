package dev.glovebox.agent;

import static dev.glovebox.agent.McpCalls.call;
import static dev.glovebox.agent.McpCalls.input;
import static dev.glovebox.agent.McpCalls.names;
import static dev.glovebox.agent.McpCalls.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.glovebox.run.Failure;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are reached by HTTP and do not do what servers should. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpStrangeHttpTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Map<String, String> KEY = Map.of("Authorization", "Bearer secret");

    private static McpTools open(StrangeHttpServer server, Duration within) throws Exception {
        return McpTools.http(server.address(), KEY, McpOptions.standard().within(within));
    }

    private static Failure refused(StrangeHttpServer server, Duration within) {
        return catchThrowableOfType(
                Failure.class,
                () -> {
                    try (McpTools tools = open(server, within)) {
                        throw new AssertionError("opened: " + names(tools));
                    }
                });
    }

    @Test
    void theWholeAddressAndTheHeadersAreUsedForEachRequest() throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("", "");
                McpTools tools = open(server, LONG)) {
            assertThat(call(tools, "act", "{}")).isEqualTo(ToolOutput.of("done"));
            assertThat(server.seen())
                    .contains("/mcp?key=1 tools/call Bearer secret")
                    .allMatch(request -> request.startsWith("/mcp?key=1 "))
                    .allMatch(request -> request.endsWith(" Bearer secret"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "initialize,401,invalid-key",
        "initialize,403,invalid-key",
        "initialize,202,malformed-answer",
        "initialize,204,malformed-answer",
        "initialize,404,malformed-answer",
        "initialize,500,malformed-answer",
        "initialize,html,malformed-answer",
        "initialize,garbage,malformed-answer",
        "initialize,other,malformed-answer",
        "initialize,list,malformed-answer",
        "initialize,null,malformed-answer",
        "initialize,events,malformed-answer",
        "initialize,null-event,malformed-answer",
        "initialize,floods,too-much",
        "initialize,floods-events,too-much",
        "initialize,floods-data,too-much",
        "initialize,cuts,server-gone",
        "initialize,refuses,refused",
        "tools/list,202,malformed-answer",
        "tools/list,500,malformed-answer",
        "tools/list,garbage,malformed-answer",
        "tools/list,null,malformed-answer",
        "tools/list,refuses,refused",
        "tools/list,404,server-gone",
    })
    void aServerThatIsNoneIsNotOpened(String method, String manner, String code) throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer(method, manner)) {
            Failure failure = refused(server, LONG);
            assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
            assertThat(failure)
                    .hasMessageStartingWith("The MCP server at localhost: ")
                    .hasMessageNotContaining("secret");
            assertThat(failure.getMessage()).hasSizeLessThan(500);
        }
    }

    @ParameterizedTest
    @CsvSource({"initialize,hangs", "tools/list,hangs", "initialize,notifies"})
    void aServerThatDoesNotAnswerIsGivenUp(String method, String manner) throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer(method, manner)) {
            assertThat(refused(server, Duration.ofSeconds(1)).code())
                    .isEqualTo(McpProblem.TIME_OUT);
        }
    }

    @Test
    void theHeadersAreNotSentToWhereAServerRedirects() throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("initialize", "redirects")) {
            assertThat(refused(server, LONG).code()).isEqualTo(McpProblem.MALFORMED);
            assertThat(server.seen()).noneMatch(request -> request.contains("elsewhere"));
        }
    }

    @Test
    void aServerThatIsNotThereIsUnreachableForNow() throws Exception {
        URI address;
        try (StrangeHttpServer server = new StrangeHttpServer("", "")) {
            address = server.address();
        }
        assertThatThrownBy(() -> McpTools.http(address, Map.of()))
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> {
                            assertThat(failure.code()).isEqualTo(McpProblem.UNREACHABLE);
                            assertThat(failure.isPassing()).isTrue();
                        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://example.com/", "mcp", "http:///mcp", "file:///etc/passwd"})
    void anAddressThatIsNoneIsRefused(String address) {
        assertThatThrownBy(() -> McpTools.http(URI.create(address), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(address);
    }

    @Test
    void aHeaderThatCannotBeSentIsNamedWithoutItsValue() {
        URI address = URI.create("http://localhost:1/mcp");
        Map<String, String> lines = Map.of("Authorization", "Bearer secret\n");
        assertThatThrownBy(() -> McpTools.http(address, lines))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Authorization")
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }

    @ParameterizedTest
    @CsvSource({
        "202,no answer. Perhaps it was done",
        "204,no answer. Perhaps it was done",
        "empty,no answer. Perhaps it was done",
        "500,Perhaps it was done",
        "html,Perhaps it was done",
        "garbage,Perhaps it was done",
        "null,cannot be understood. Perhaps it was done",
        "null-event,cannot be understood. Perhaps it was done",
        "events,Perhaps it was done",
        "floods,Perhaps it was done",
        "floods-data,Perhaps it was done",
        "cuts,Perhaps it was done",
        "401,another key",
        "refuses,not you",
    })
    void aCallThatFailsIsAnErrorForTheModelAndTheNextOneIsTriedAgain(String manner, String words)
            throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("tools/call", manner);
                McpTools tools = open(server, LONG)) {
            for (int i = 0; i < 2; i++) {
                ToolOutput output = call(tools, "act", "{}");
                assertThat(output.isError()).isTrue();
                assertThat(output.text()).contains(words).hasSizeLessThan(500);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hangs", "notifies"})
    void aCallThatTakesTooLongIsCancelledAtTheServer(String manner) throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("tools/call", manner);
                McpTools tools = open(server, LONG)) {
            ToolOutput output = tool(tools, "act").call(input("{}", Duration.ofMillis(300)));
            assertThat(output.isError()).isTrue();
            assertThat(output.text()).contains("no answer in time");
            while (server.seen().stream()
                    .noneMatch(request -> request.contains("notifications/cancelled"))) {
                Thread.sleep(Duration.ofMillis(20));
            }
        }
    }

    @Test
    void aServerThatAsksAndTakesNoAnswersDoesNotGetConnectionsWithoutEnd() throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("GET", "asks");
                McpTools tools = open(server, LONG)) {
            // Whoever wants them after its last question lists them once more.
            while (server.seen().stream().filter(one -> one.contains("tools/list ")).count() < 2) {
                assertThat(tools.tools()).isNotEmpty();
                Thread.sleep(Duration.ofMillis(20));
            }
            assertThat(call(tools, "act", "{}")).isEqualTo(ToolOutput.of("done"));
            assertThat(server.seen().stream().filter(request -> request.contains(" POST ")))
                    .hasSizeBetween(1, 8);
        }
    }

    @Test
    void aServerThatForgetsTheSessionIsNotOpenedAgainAndAgain() throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("tools/call", "404");
                McpTools tools = open(server, LONG)) {
            assertThat(call(tools, "act", "{}").text()).contains("it has lost the session");
            assertThat(call(tools, "act", "{}").text()).contains("Nothing was done");
            assertThat(server.seen().stream().filter(one -> one.contains("initialize ")))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hangs", "notifies", "500"})
    void aServerThatDoesNotSayGoodbyeIsLeft(String manner) throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("DELETE", manner)) {
            McpTools tools = open(server, LONG);
            tools.close();
            assertThat(call(tools, "act", "{}").text()).contains("Nothing was done");
        }
    }

    @Test
    void aServerThatEndedInTheMeantimeIsUnreachable() throws Exception {
        try (StrangeHttpServer server = new StrangeHttpServer("", "");
                McpTools tools = open(server, LONG)) {
            Tool act = tool(tools, "act");
            server.stop();
            assertThatThrownBy(() -> act.call(input("{}", LONG)))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            failure ->
                                    assertThat(failure.code()).isEqualTo(McpProblem.UNREACHABLE));
        }
    }
}
