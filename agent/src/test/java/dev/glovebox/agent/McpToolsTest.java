package dev.glovebox.agent;

import static dev.glovebox.agent.McpCalls.call;
import static dev.glovebox.agent.McpCalls.input;
import static dev.glovebox.agent.McpCalls.names;
import static dev.glovebox.agent.McpCalls.tool;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.Effect.IfUnknown;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference servers of MCP, as processes and by HTTP. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class McpToolsTest {

    private record Opened(McpTools tools, Runnable stop) implements AutoCloseable {

        static Opened by(String how) throws Exception {
            if (how.equals("stdio")) {
                return new Opened(ReferenceServers.everything(Map.of()), () -> {});
            }
            ReferenceServers.Listening server = ReferenceServers.Listening.start();
            return new Opened(server.open(Map.of("X-Test", "yes")), server::close);
        }

        @Override
        public void close() {
            tools.close();
            stop.run();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void aToolOfAServerIsToldToModelsAndCalled(String how) throws Exception {
        try (Opened server = Opened.by(how)) {
            ToolOffer sum = tool(server.tools(), "get-sum").offer();
            assertThat(sum.description()).isNotBlank();
            assertThat(sum.parameters().path("type").asText()).isEqualTo("object");
            assertThat(sum.parameters().path("properties").path("a").path("type").asText())
                    .isEqualTo("number");
            assertThat(call(server.tools(), "get-sum", "{\"a\":2,\"b\":40}"))
                    .isEqualTo(ToolOutput.of("The sum of 2 and 40 is 42."));
            assertThat(call(server.tools(), "echo", "{\"message\":\"h\u00e9\\n\u26c4\"}").text())
                    .isEqualTo("Echo: h\u00e9\n\u26c4");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void whatIsNoTextIsDescribed(String how) throws Exception {
        try (Opened server = Opened.by(how)) {
            assertThat(call(server.tools(), "get-tiny-image", "{}").text())
                    .containsPattern("\\[image, type image/png, about \\d{4} bytes, not shown]")
                    .doesNotContain("iVBOR");
            assertThat(
                            call(
                                            server.tools(),
                                            "get-resource-reference",
                                            "{\"resourceType\":\"Blob\",\"resourceId\":1}")
                                    .text())
                    .containsPattern("\\[resource demo://\\S+, type \\S+, about \\d+ bytes");
            assertThat(call(server.tools(), "get-resource-links", "{\"count\":2}").text())
                    .contains("[a link to the resource demo://");
            ToolOutput weather =
                    call(server.tools(), "get-structured-content", "{\"location\":\"New York\"}");
            JsonNode told = new JsonMapper().readTree(weather.text());
            assertThat(told.path("temperature").isNumber()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void whatAServerRefusesIsAnErrorForTheModel(String how) throws Exception {
        try (Opened server = Opened.by(how)) {
            ToolOutput output = call(server.tools(), "get-sum", "{\"a\":\"x\"}");
            assertThat(output.isError()).isTrue();
            assertThat(output.text()).contains("get-sum").containsIgnoringCase("invalid");
            assertThat(call(server.tools(), "echo", "{\"message\":\"on\"}").text())
                    .isEqualTo("Echo: on");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void manyCallsAtOnceEachGetTheirOwnAnswer(String how) throws Exception {
        try (Opened server = Opened.by(how);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                String arguments = "{\"message\":\"" + i + "\"}";
                answers.add(threads.submit(() -> call(server.tools(), "echo", arguments).text()));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(answers.get(i).get()).isEqualTo("Echo: " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http"})
    void whatTakesTooLongIsGivenUpAndTheServerGoesOn(String how) throws Exception {
        try (Opened server = Opened.by(how)) {
            ToolOutput output =
                    tool(server.tools(), "trigger-long-running-operation")
                            .call(input("{\"duration\":600,\"steps\":1}", Duration.ofMillis(300)));
            assertThat(output.isError()).isTrue();
            assertThat(output.text())
                    .contains("no answer in time", "Perhaps it was done all the same");
            assertThat(call(server.tools(), "echo", "{\"message\":\"on\"}").text())
                    .isEqualTo("Echo: on");
        }
    }

    @Test
    void aServerGetsNothingOfTheEnvironmentThatItIsNotGiven() throws Exception {
        assertThat(System.getenv().keySet()).hasSizeGreaterThan(McpProcess.INHERITED.size());
        try (McpTools server = ReferenceServers.everything(Map.of("TOKEN", "given"))) {
            JsonNode seen = new JsonMapper().readTree(call(server, "get-env", "{}").text());
            assertThat(seen.path("TOKEN").asText()).isEqualTo("given");
            assertThat(seen.path("PATH").asText()).isEqualTo(System.getenv("PATH"));
            seen.fieldNames()
                    .forEachRemaining(name ->
                            assertThat(McpProcess.INHERITED.contains(name) || name.equals("TOKEN"))
                                    .as(name)
                                    .isTrue());
        }
    }

    @Test
    void filesAreReadAndWrittenWithinTheFolderThatTheServerIsGiven(@TempDir Path given)
            throws Exception {
        Path folder = given.toRealPath();
        McpOptions options = McpOptions.standard().prefix("files_");
        try (McpTools server = ReferenceServers.filesystem(folder, options)) {
            assertThat(names(server)).allMatch(name -> name.startsWith("files_"));
            Path file = folder.resolve("note.txt");
            assertThat(
                            call(
                                            server,
                                            "files_write_file",
                                            arguments("path", file, "content", "gloves"))
                                    .isError())
                    .isFalse();
            assertThat(Files.readString(file)).isEqualTo("gloves");
            assertThat(call(server, "files_read_text_file", arguments("path", file)).text())
                    .isEqualTo("gloves");

            ToolOutput refused =
                    call(server, "files_read_text_file", arguments("path", "/etc/passwd"));
            assertThat(refused.isError()).isTrue();
            assertThat(refused.text()).contains("denied").doesNotContain("root:");
        }
    }

    @Test
    void whatDoesNoHarmTwiceIsRepeatedUnlessTheUserSaysOtherwise(@TempDir Path folder)
            throws Exception {
        McpOptions hints = McpOptions.standard();
        try (McpTools server = ReferenceServers.filesystem(folder, hints)) {
            assertThat(ifUnknown(server, "read_text_file")).isEqualTo(IfUnknown.REPEAT);
            assertThat(ifUnknown(server, "write_file")).isEqualTo(IfUnknown.REPEAT);
            assertThat(ifUnknown(server, "edit_file")).isEqualTo(IfUnknown.TELL);
            assertThat(ifUnknown(server, "move_file")).isEqualTo(IfUnknown.TELL);
        }
        ToolTraits ask = ToolTraits.standard().ifUnknown(IfUnknown.ASK);
        try (McpTools server =
                ReferenceServers.filesystem(folder, hints.traits("write_file", ask))) {
            assertThat(ifUnknown(server, "read_text_file")).isEqualTo(IfUnknown.REPEAT);
            assertThat(ifUnknown(server, "write_file")).isEqualTo(IfUnknown.ASK);
        }
        McpOptions rule = hints.traits(ToolTraits.standard());
        try (McpTools server = ReferenceServers.filesystem(folder, rule)) {
            assertThat(ifUnknown(server, "read_text_file")).isEqualTo(IfUnknown.TELL);
        }
    }

    private static String arguments(Object... namesAndValues) {
        ObjectNode arguments = new JsonMapper().createObjectNode();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            arguments.put(namesAndValues[i].toString(), namesAndValues[i + 1].toString());
        }
        return arguments.toString();
    }

    private static IfUnknown ifUnknown(McpTools server, String tool) throws Exception {
        return tool(server, tool).traits().ifUnknown();
    }
}
