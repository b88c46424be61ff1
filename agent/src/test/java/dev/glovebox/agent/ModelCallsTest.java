package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.PATIENCE;
import static dev.glovebox.agent.Vendors.failure;
import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.prompt;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What models want of tools, as each vendor writes it, and what they are told of it. */
class ModelCallsTest {

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void toolCallsAndTheirResultsGoToAndFro(String vendor) throws Exception {
        ToolCall one = new ToolCall("call_1", "add", "{\"a\":1}");
        ToolCall two = new ToolCall("call_2", "add", "{\"a\":2}");
        try (VendorServer server = server(vendor, Turn.calls(one, two), Turn.says("3"))) {
            Model model = model(vendor, server);
            Reply reply = model.ask(prompt(new Message.User("Add")), PATIENCE, word -> {});
            assertThat(reply.message().calls()).containsExactly(one, two);

            Reply end =
                    model.ask(
                            prompt(
                                    new Message.User("Add"),
                                    reply.message(),
                                    new Message.ToolResult("call_1", "add", "1", false),
                                    new Message.ToolResult("call_2", "add", "broken", true)),
                            PATIENCE,
                            word -> {});
            assertThat(end.message().text()).isEqualTo("3");
            assertThat(server.requests().get(1).toString()).contains("add", "broken");
            if (vendor.equals("openai") || vendor.equals("anthropic")) {
                assertThat(server.requests().get(1).toString()).contains("call_1", "call_2");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void aServerWithoutEncryptionIsNotAskedToGoOnInAnotherProtocol(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("Hello."))) {
            model(vendor, server).ask(prompt(new Message.User("Hi")), PATIENCE, word -> {});
            assertThat(server.problems()).isEmpty();
        }
    }

    @Test
    void aCallWithoutANameIsTheModelsNonsenseAndNotOurs() {
        Turn nameless = Turn.calls(new ToolCall("call_1", " ", "{}"));
        try (VendorServer server = server("openai", nameless)) {
            Failure failure = failure(model("openai", server));
            assertThat(failure.code()).isEqualTo("malformed-answer");
            assertThat(failure.isPassing()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void callsThatAreNotJsonDoNotEndTheConversation(String vendor) throws Exception {
        for (String written : List.of("{\"a\":", "", "[1]", "say \"hi\"", "{\"a\":1} x", "null")) {
            try (VendorServer server = server(vendor, Turn.says("Sorry."))) {
                Reply reply =
                        model(vendor, server)
                                .ask(
                                        prompt(
                                                new Message.User("x"),
                                                new Message.Assistant(
                                                        "",
                                                        List.of(new ToolCall("1", "add", written))),
                                                new Message.ToolResult("1", "add", "no", true)),
                                        PATIENCE,
                                        word -> {});
                assertThat(reply.message().text()).as(written).isEqualTo("Sorry.");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void namesAndIdsThatVendorsDoNotTakeAreMadeFitForThem(String vendor) throws Exception {
        for (String name :
                List.of(
                        "multi_tool_use.parallel",
                        "functions.add",
                        "",
                        " ",
                        "é",
                        "x".repeat(9_999))) {
            String id = "functions.add:0";
            try (VendorServer server = server(vendor, Turn.says("Sorry."))) {
                Reply reply =
                        model(vendor, server)
                                .ask(
                                        prompt(
                                                new Message.User("x"),
                                                new Message.Assistant(
                                                        "", List.of(new ToolCall(id, name, "{}"))),
                                                new Message.ToolResult(id, name, "no", true)),
                                        PATIENCE,
                                        word -> {});
                assertThat(reply.message().text()).as(name).isEqualTo("Sorry.");
                assertThat(server.problems()).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void aCallThatWasCutBeforeItsArgumentsBeganIsNone(String vendor) throws Exception {
        ToolCall whole = new ToolCall("1", "add", "{\"a\":1}");
        Turn cut = new Turn.Says("", List.of(whole, new ToolCall("2", "delete", "")), true);
        try (VendorServer server = server(vendor, cut)) {
            Reply reply =
                    model(vendor, server).ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            assertThat(reply.isCut()).isTrue();
            assertThat(reply.message().calls()).containsExactly(whole);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void whoseCallIsCutIsToldWhy(String vendor) throws Exception {
        record Note(String text) {}
        ToolCall cut = new ToolCall("1", "write", "{\"text\":\"Once upon a ti");
        Turn all = new Turn.Says("", List.of(cut), true);
        try (VendorServer server = server(vendor, all, Turn.says("Too long."));
                Engine engine = new Engine()) {
            TaskResult result =
                    Agent.named("writer", model(vendor, server))
                            .tools(Tools.of("write", "Writes", Note.class, note -> "written"))
                            .build()
                            .run(engine.runs(), "Write.");

            assertThat(result.text()).isEqualTo("Too long.");
            assertThat(Engine.results(result)).hasSize(1);
            assertThat(Engine.results(result).getFirst())
                    .contains("so the tool was not called")
                    .endsWith(
                            "cut off since it is too long, perhaps in this call. Give a shorter one.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void callsOfAnAnswerThatBreaksOffAreNotMade(String vendor) {
        ToolCall call = new ToolCall("1", "add", "{\"a\":1}");
        try (VendorServer server = server(vendor, new Turn.Stops(List.of(call, call)))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.isPassing()).isTrue();
            assertThat(failure.code()).isIn("unreachable", "malformed-answer");
        }
    }

    private static String part(String call) {
        return "data: {\"id\":\"1\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":["
                + call
                + "]},\"finish_reason\":null}]}\n\n";
    }

    private static String part(int index, String id, String name, String arguments) {
        return part(
                "{\"index\":%d,\"id\":\"%s\",\"function\":{\"name\":\"%s\",\"arguments\":\"%s\"}}"
                        .formatted(index, id, name, arguments));
    }

    @Test
    void callsComeApartHoweverAServerNumbersThem() throws Exception {
        String end =
                """
                data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

                data: [DONE]
                """;
        String rest = part("{\"index\":0,\"function\":{\"arguments\":\"}\"}}");
        String oneNumber = part(0, "a", "add", "{") + rest + part(0, "b", "add", "{") + rest;
        String repeated =
                part(0, "a", "add", "{")
                        + part(0, "a", "add", "}")
                        + part(1, "b", "add", "{")
                        + part(1, "b", "add", "}");
        for (String events : List.of(oneNumber + end, repeated + end)) {
            try (VendorServer server =
                    server("openai", new Turn.Garbage(events.substring("data: ".length())))) {
                Reply reply =
                        model("openai", server)
                                .ask(prompt(new Message.User("x")), PATIENCE, word -> {});
                assertThat(reply.message().calls())
                        .containsExactly(
                                new ToolCall("a", "add", "{}"), new ToolCall("b", "add", "{}"));
            }
        }
    }

    @Test
    void aCallOfGooglesWithoutArgumentsIsOne() throws Exception {
        String call =
                """
                {"candidates":[{"content":{"parts":[{"functionCall":{"name":"rest"}}]},"finishReason":"STOP"}]}
                """;
        try (VendorServer server = server("google", new Turn.Garbage(call.strip()))) {
            Reply reply =
                    model("google", server)
                            .ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            ToolCall rest = reply.message().calls().getFirst();
            Toolbox tools =
                    Toolbox.of(List.of(Tools.of("rest", "", Nothing.class, none -> "rested")));
            assertThat(tools.check(rest)).isInstanceOf(ToolCheck.Fit.class);
        }
    }

    @Test
    void wordsBeforeACallThatGoogleCannotReadAreNoAnswer() {
        String events =
                """
                {"candidates":[{"content":{"role":"model","parts":[{"text":"I will add them."}]}}]}

                data: {"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}],\
                "usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":20}}\
                """;
        try (VendorServer server = server("google", new Turn.Garbage(events))) {
            Failure failure = failure(model("google", server));
            assertThat(failure.code()).isEqualTo("malformed-answer");
            assertThat(failure.isPassing()).isTrue();
            assertThat(Begun.told(failure)).contains(Usage.of(100, 20));
        }
    }

    private record Nothing() {}
}
