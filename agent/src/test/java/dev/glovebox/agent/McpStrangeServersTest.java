package dev.glovebox.agent;

import static dev.glovebox.agent.McpCalls.call;
import static dev.glovebox.agent.McpCalls.input;
import static dev.glovebox.agent.McpCalls.names;
import static dev.glovebox.agent.McpCalls.tool;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.glovebox.run.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that are processes and do not do what servers should. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpStrangeServersTest {

    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofSeconds(3);

    private static McpTools open(String manner) throws Exception {
        return open(manner, "");
    }

    private static McpTools open(String manner, String given) throws Exception {
        return StrangeServer.open(manner, given, McpOptions.standard().within(LONG));
    }

    private static Failure refused(String manner, String given, Duration within) {
        return catchThrowableOfType(
                Failure.class,
                () -> {
                    try (McpTools server =
                            StrangeServer.open(
                                    manner, given, McpOptions.standard().within(within))) {
                        throw new AssertionError("opened: " + names(server));
                    }
                });
    }

    @Test
    void aProgramThatIsNotThereIsNotStarted() {
        assertThatThrownBy(() -> McpTools.stdio("/no/such/server", List.of("secret"), Map.of()))
                .isInstanceOfSatisfying(
                        Failure.class, e -> assertThat(e.code()).isEqualTo(McpProblem.NOT_STARTED))
                .hasMessageContaining("The MCP server server: it could not be started")
                .hasMessageNotContaining("secret");
    }

    @Test
    void whatAServerIsGivenIsNotToldWhereItCannotBeGiven() {
        assertThatThrownBy(() -> McpTools.stdio("true", List.of(), Map.of("KEY", "secret\0")))
                .isInstanceOfSatisfying(
                        Failure.class, e -> assertThat(e.code()).isEqualTo(McpProblem.NOT_STARTED))
                .hasMessageContaining("The MCP server true: it could not be started")
                .hasMessageNotContaining("secret");
    }

    @Test
    void whyAServerEndedAtOnceIsTold() {
        Failure failure = refused("dies", "", LONG);
        assertThat(failure.code()).isEqualTo(McpProblem.GONE);
        assertThat(failure).hasMessageContaining("it ended with exit code 3");
        assertThat(failure).hasMessageContaining("it last said: no license [31mfound");
    }

    @ParameterizedTest
    @CsvSource({
        "floods,too-much,without an end of line",
        "rambles,malformed-answer,lines that are no messages",
        "endless,too-much,does not end to",
        "many,too-much,more than 1000 tools",
        "heavy,too-much,descriptions and schemas of its tools have more than 4194304 characters",
        "bare,refused,Unsupported protocol version",
    })
    void aServerThatSaysTooMuchOrTooLittleIsNotOpened(String manner, String code, String why) {
        Failure failure = refused(manner, "", LONG);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure).hasMessageContaining(why);
    }

    @Test
    void aServerThatDoesNotAnswerIsGivenUp() {
        assertThat(refused("silent", "", SHORT).code()).isEqualTo(McpProblem.TIME_OUT);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\":\"string\"}|malformed-answer|the tool act has a schema that is not one of an object",
                "\"text\"|malformed-answer|",
                "[1]|malformed-answer|",
                "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"http://example.com/a\"}}}"
                        + "|malformed-answer|refers to another document",
                "{\"properties\":{\"a\":5}}|malformed-answer|the tool act has a schema that is none",
                "{\"properties\":{\"a\":\"string\"}}|malformed-answer|a schema that is none",
                "{\"properties\":{\"a\":null}}|malformed-answer|a schema that is none",
                "{\"properties\":[]}|malformed-answer|a schema that is none",
                "{\"$defs\":{\"a\":5}}|malformed-answer|a schema that is none",
                "{\"definitions\":{\"a\":5}}|malformed-answer|a schema that is none",
                "{\"additionalProperties\":5}|malformed-answer|a schema that is none",
                "{\"properties\":{\"a\":{\"properties\":7}}}|malformed-answer|a schema that is none",
                "{\"properties\":{\"a\":{\"items\":{\"not\":7}}}}|malformed-answer|a schema that is none",
                "{\"properties\":{\"a\":{\"anyOf\":[{},7]}}}|malformed-answer|a schema that is none",
                "{\"properties\":{\"a\":{\"anyOf\":{}}}}|malformed-answer|a schema that is none",
            })
    void aSchemaThatIsNoneIsRefused(String schema, String code, String why) {
        Failure failure =
                refused(
                        "lists",
                        "{\"tools\":[{\"name\":\"act\",\"inputSchema\":" + schema + "}]}",
                        LONG);
        assertThat(failure.code()).isEqualTo(code);
        assertThat(failure).hasMessageContaining(why == null ? "" : why);
    }

    @Test
    void whatOnlyLooksLikeAPartOfASchemaMayBeAnything() throws Exception {
        String schema =
                """
                {"$schema":"http://json-schema.org/draft-07/schema#","properties":{
                 "properties":{"default":{"properties":5},"enum":[{"items":7}]},
                 "items":{"type":"array","items":[{"type":"string"},true]},
                 "any":true,"tree":{"$ref":"#/definitions/tree"}},
                 "definitions":{"tree":{"additionalProperties":{"$ref":"#/definitions/tree"}}}}
                """;
        String list = "{\"tools\":[{\"name\":\"act\",\"inputSchema\":" + schema + "}]}";
        try (McpTools server =
                StrangeServer.open("lists", list.replace("\n", " "), McpOptions.standard())) {
            assertThat(names(server)).containsExactly("act");
        }
    }

    @Test
    void anEnormousSchemaIsRefused() {
        String property = "{\"type\":\"string\",\"pattern\":\"" + "x".repeat(70_000) + "\"}";
        Failure failure =
                refused(
                        "lists",
                        "{\"tools\":[{\"name\":\"act\",\"inputSchema\":{\"properties\":{\"a\":"
                                + property
                                + "}}}]}",
                        LONG);
        assertThat(failure.code()).isEqualTo(McpProblem.TOO_MUCH);
    }

    @Test
    void namesAreMadeFitForVendorsAndDescriptionsForReaders() throws Exception {
        String list =
                """
                {"tools":[
                  {"name":"a.b","description":"one\\u001b[2J\\u202etwo\\u200b\\udb40\\udc41\\udb40\\udd11\\ufe01\\u3164","inputSchema":{}},
                  {"name":"a_b","description":"%s","inputSchema":{"properties":{
                     "p":{"type":"string","description":"a\\u0007b"}}}},
                  {"name":"a b","inputSchema":{"$schema":"http://evil.example/x"}},
                  {"name":"%s","inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#"}}]}
                """
                        .formatted("long ".repeat(2000), "n".repeat(100));
        try (McpTools server =
                StrangeServer.open(
                        "lists", list.replace("\n", " "), McpOptions.standard().prefix("x-"))) {
            assertThat(names(server))
                    .containsExactly("x-a_b", "x-a_b_2", "x-a_b_3", "x-" + "n".repeat(62));
            assertThat(tool(server, "x-a_b").offer().description()).isEqualTo("one[2Jtwo");
            ToolOffer second = tool(server, "x-a_b_2").offer();
            assertThat(second.description()).hasSizeLessThan(4200).endsWith("[cut]");
            assertThat(second.parameters().at("/properties/p/description").asText())
                    .isEqualTo("ab");
            assertThat(tool(server, "x-a_b_3").offer().parameters())
                    .hasToString("{\"type\":\"object\"}");
            assertThat(names(server)).allMatch(name -> name.matches("[a-zA-Z0-9_-]{1,64}"));
            assertThat(call(server, "x-a_b_3", "{}").text()).isEqualTo("done");
        }
    }

    @Test
    void twoToolsOfOneNameAreRefused() {
        Failure failure =
                refused(
                        "lists",
                        "{\"tools\":[{\"name\":\"a\",\"inputSchema\":{}},{\"name\":\"a\",\"inputSchema\":{}}]}",
                        LONG);
        assertThat(failure).hasMessageContaining("the tool a has the name of another one");
    }

    @ParameterizedTest
    @ValueSource(strings = {"greets", "babbles"})
    void whatIsNoMessageIsPassedOver(String manner) throws Exception {
        try (McpTools server = open(manner)) {
            assertThat(call(server, "act", "{}")).isEqualTo(ToolOutput.of("done"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "dies-in-call,it ended with exit code 7",
        "floods-in-call,without an end of line",
    })
    void aServerThatBreaksInTheMiddleIsAnErrorForTheModelAndStaysOne(String manner, String why)
            throws Exception {
        try (McpTools server = open(manner)) {
            Tool tool = tool(server, "act");
            for (int i = 0; i < 3; i++) {
                ToolOutput output = tool.call(input("{}", LONG));
                assertThat(output.isError()).isTrue();
                assertThat(output.text())
                        .contains(why)
                        .endsWith(
                                i == 0 ? "Perhaps it was done all the same." : "Nothing was done.");
            }
        }
    }

    @Test
    void anAnswerThatWasGivenBeforeTheEndCounts() throws Exception {
        try (McpTools server = open("answers-and-dies")) {
            assertThat(call(server, "act", "{}")).isEqualTo(ToolOutput.of("done"));
        }
    }

    @Test
    void aCallThatTakesTooLongIsCancelledAtTheServer(@TempDir Path folder) throws Exception {
        Path heard = folder.resolve("heard");
        try (McpTools server = open("hangs", heard.toString())) {
            ToolOutput output = tool(server, "act").call(input("{}", Duration.ofMillis(200)));
            assertThat(output.isError()).isTrue();
            assertThat(output.text()).contains("no answer in time");
            awaitText(heard, "notifications/cancelled");
            assertThat(Files.readString(heard)).contains("nobody waits for it", "requestId");
        }
    }

    @Test
    void aToolThatIsTreatedInAnotherWayHasTheTimeThatItIsGivenThen() throws Exception {
        ToolTraits brief = ToolTraits.standard().within(Duration.ofMillis(100));
        McpOptions options = McpOptions.standard().within(LONG).traits(brief);
        try (McpTools server = StrangeServer.open("slow", "", options)) {
            Tool tool = tool(server, "act");
            assertThat(tool.call(input("{}", LONG)).text()).contains("no answer in time");
            Tool patient = Tools.with(tool, brief.within(LONG));
            assertThat(patient.call(input("{}", LONG))).isEqualTo(ToolOutput.of("done"));
        }
    }

    @Test
    void aCallWithoutTimeIsNotMade(@TempDir Path folder) throws Exception {
        Path heard = folder.resolve("heard");
        try (McpTools server = open("hangs", heard.toString())) {
            ToolOutput output = tool(server, "act").call(input("{}", Duration.ofSeconds(-1)));
            assertThat(output.text()).contains("no answer in time");
            tool(server, "act").call(input("{\"second\":1}", Duration.ofMillis(200)));
            awaitText(heard, "second");
            assertThat(Files.readString(heard)).containsOnlyOnce("tools/call");
        }
    }

    @Test
    void aCallThatIsInterruptedIsCancelledAtTheServer(@TempDir Path folder) throws Exception {
        Path heard = folder.resolve("heard");
        try (McpTools server = open("hangs", heard.toString())) {
            Tool tool = tool(server, "act");
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread caller =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    tool.call(input("{}", LONG));
                                } catch (Exception e) {
                                    thrown.set(e);
                                }
                            });
            awaitText(heard, "tools/call");
            caller.interrupt();
            caller.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            awaitText(heard, "notifications/cancelled");
        }
    }

    private static void awaitText(Path file, String text) throws Exception {
        while (!Files.exists(file) || !Files.readString(file).contains(text)) {
            Thread.sleep(Duration.ofMillis(20));
        }
    }

    @Test
    void aServerThatReadsNothingIsNotWrittenToForEver() throws Exception {
        try (McpTools server = open("deaf");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Tool tool = tool(server, "act");
            String much = "{\"x\":\"" + "y".repeat(100_000) + "\"}";
            List<Future<ToolOutput>> outputs = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                outputs.add(threads.submit(() -> tool.call(input(much, Duration.ofMillis(500)))));
            }
            List<String> texts = new ArrayList<>();
            for (Future<ToolOutput> output : outputs) {
                assertThat(output.get().isError()).isTrue();
                texts.add(output.get().text());
            }
            assertThat(texts).anyMatch(text -> text.contains("it does not read"));
        }
    }

    @Test
    void toolsThatChangeAreListedAgainWhenSomebodyAsks() throws Exception {
        try (McpTools server = open("changes")) {
            List<Tool> before = server.tools();
            assertThat(server.tools()).isSameAs(before);
            assertThat(call(server, "act", "{}").text()).isEqualTo("changed");
            assertThat(names(server)).containsExactly("act-1");
            assertThat(before.getFirst().offer().name()).isEqualTo("act");
            assertThat(before.getFirst().call(input("{}", LONG)).text()).isEqualTo("changed");
        }
    }

    @Test
    void aServerThatAsksWithoutEndIsNotAnsweredWithoutEnd() throws Exception {
        try (McpTools server = open("asks")) {
            assertThat(call(server, "act", "{}").text()).isEqualTo("asked");
            assertThat(call(server, "act", "{}").text()).isEqualTo("asked");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"content\":[null,{\"type\":\"text\",\"text\":\"a\"}]}|[nothing]-a|false",
                "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}|no|true",
                "{\"content\":[],\"structuredContent\":{\"a\":1}}|{\"a\":1}|false",
                "{\"content\":[{\"type\":\"text\",\"text\":\"{ \\\"a\\\": 1}\"}],\"structuredContent\":{\"a\":1}}"
                        + "|{ \"a\": 1}|false",
                "{\"content\":[{\"type\":\"text\",\"text\":\"x\"}],\"structuredContent\":{\"a\":1}}"
                        + "|x-{\"a\":1}|false",
                "{\"content\":[{\"type\":\"audio\",\"data\":\"AAAA\",\"mimeType\":\"audio/wav\"}]}"
                        + "|[audio, type audio/wav, about 3 bytes, not shown]|false",
                "{}|''|false",
            })
    void resultsBecomeText(String result, String text, boolean isError) throws Exception {
        try (McpTools server = open("says", result)) {
            ToolOutput output = call(server, "act", "{}");
            assertThat(output.text()).isEqualTo(text.replace('-', '\n'));
            assertThat(output.isError()).isEqualTo(isError);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"text\"",
                "[1]",
                "{\"content\":\"x\"}",
                "{\"content\":[{\"type\":\"smell\"}]}",
                "{\"content\":[{\"type\":\"text\",\"text\":{\"a\":[]}}]}",
                "null",
            })
    void aResultThatIsNoneIsAnErrorForTheModel(String result) throws Exception {
        try (McpTools server = open("says", result)) {
            ToolOutput output = call(server, "act", "{}");
            assertThat(output.isError()).isTrue();
            assertThat(output.text())
                    .startsWith("The MCP server java: ")
                    .doesNotContain("no answer in time")
                    .hasSizeLessThan(500);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-32602,The MCP server java: no",
        "-32601,The MCP server java: no",
        "-32000,The MCP server java: no",
        "-32603,The MCP server java: no. Perhaps it was done all the same.",
    })
    void whetherACallMayHaveBeenDoneIsTold(String code, String told) throws Exception {
        try (McpTools server = open("errs", code)) {
            assertThat(call(server, "act", "{}")).isEqualTo(ToolOutput.error(told));
        }
    }

    @Test
    void aServerThatIsClosedIsAnErrorForTheModel() throws Exception {
        McpTools server = open("changes");
        Tool act = tool(server, "act");
        assertThat(call(server, "act", "{}").text()).isEqualTo("changed");
        server.close();
        server.close();
        assertThatThrownBy(server::tools).hasMessage("The MCP server java: it was closed");
        ToolOutput output = act.call(input("{}", LONG));
        assertThat(output)
                .isEqualTo(
                        ToolOutput.error("The MCP server java: it was closed. Nothing was done."));
    }
}
