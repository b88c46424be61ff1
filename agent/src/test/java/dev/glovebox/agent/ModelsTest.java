package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.GoogleServer;
import dev.glovebox.agent.support.OllamaServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Cost;
import dev.glovebox.run.Failure;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real clients of vendors, against servers that speak like them. */
class ModelsTest {

    private static final Map<String, String> KEYS =
            Map.of(
                    "ANTHROPIC_API_KEY", "a-key",
                    "GOOGLE_API_KEY", "a-third-key",
                    "OPENAI_API_KEY", "another-key");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static VendorServer server(String vendor, Turn... turns) {
        return switch (vendor) {
            case "openai" -> OpenAiServer.start(turns);
            case "google" -> GoogleServer.start(turns);
            case "ollama" -> OllamaServer.start(turns);
            default -> AnthropicServer.start(turns);
        };
    }

    private static Model model(String vendor, VendorServer server) {
        return Models.open(vendor + ":test@" + server.address(), KEYS);
    }

    private static JsonNode json(String text) {
        try {
            return new JsonMapper().readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Prompt prompt(Message... messages) {
        ToolOffer tool =
                new ToolOffer(
                        "add",
                        "Adds two numbers",
                        json(
                                """
                                {"type":"object","properties":{
                                  "a":{"type":"integer","description":"one"},
                                  "b":{"type":"object","properties":{"c":{"type":"string"}}}},
                                 "required":["a"]}
                                """));
        return new Prompt("Be brief.", List.of(messages), List.of(tool), Optional.empty(), 500);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void anAnswerComesAsWordsAndWithWhatItCost(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("The answer is 42."))) {
            StringBuilder words = new StringBuilder();
            Reply reply =
                    model(vendor, server)
                            .ask(prompt(new Message.User("What?")), PATIENCE, words::append);
            assertThat(reply.message()).isEqualTo(Message.Assistant.of("The answer is 42."));
            assertThat(words).hasToString("The answer is 42.");
            // Ollama remembers, and does not say what.
            assertThat(reply.usage())
                    .isEqualTo(new Usage(100, vendor.equals("ollama") ? 0 : 60, 0, 20));
            assertThat(reply.isCut()).isFalse();
            assertThat(server.requests().getFirst().toString())
                    .contains("Be brief.", "What?", "Adds two numbers", "500");
        }
    }

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
    @CsvSource({
        "openai, /tools/0/function/parameters",
        "anthropic, /tools/0/input_schema",
    })
    void definitionsOfASchemaReachTheVendor(String vendor, String where) throws Exception {
        JsonNode schema =
                json(
                        """
                        {"type":"object","properties":{
                          "root":{"$ref":"#/$defs/node"},
                          "old":{"type":"array","items":{"$ref":"#/definitions/leaf"}},
                          "any":true,
                          "none":false},
                         "$defs":{"node":{"type":"object","properties":{
                            "left":{"$ref":"#/$defs/node"},"leaf":{"$ref":"#/definitions/leaf"}}}},
                         "definitions":{"leaf":{"type":"string","maxLength":3},"some":true}}
                        """);
        Prompt prompt =
                new Prompt(
                        "",
                        List.of(new Message.User("x")),
                        List.of(new ToolOffer("plant", "Plants a tree", schema)),
                        Optional.empty(),
                        500);
        try (VendorServer server = server(vendor, Turn.says("ok"))) {
            model(vendor, server).ask(prompt, PATIENCE, word -> {});
            JsonNode sent = server.requests().getFirst().at(where);
            List<String> references = sent.findValuesAsText("$ref");
            assertThat(references).hasSize(4);
            assertThat(references)
                    .allSatisfy(reference ->
                            assertThat(sent.at(reference.substring(1)).path("type").asText())
                                    .isIn("object", "string"));
            assertThat(sent.at("/$defs/leaf/maxLength").asInt()).isEqualTo(3);
            assertThat(sent.at("/properties/any")).isEqualTo(json("{}"));
            assertThat(sent.at("/properties/none")).isEqualTo(json("{\"not\":{}}"));
        }
    }

    @Test
    void theVendorIsAskedToRememberInstructionsAndTools() throws Exception {
        try (VendorServer server = server("anthropic", Turn.says("ok"))) {
            model("anthropic", server).ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            JsonNode request = server.requests().getFirst();
            assertThat(request.path("system").toString()).contains("cache_control");
            assertThat(request.path("tools").toString()).contains("cache_control");
        }
    }

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
    @CsvSource({"openai,61", "anthropic,9999999999", "anthropic,'Tue, 31 Dec 2999 23:59:59 GMT'"})
    void whoWantsToBeLeftAloneForLongIsNotWaitedFor(String vendor, String time) {
        try (VendorServer server = server(vendor, Turn.fails(429, "busy").retryAfter(time))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.code()).isEqualTo("rate-limit");
            assertThat(failure.isPassing()).isFalse();
            assertThat(failure).hasMessageContaining("not before PT");
        }
    }

    private static Failure failure(Model model) {
        return catchThrowableOfType(
                Failure.class,
                () -> model.ask(prompt(new Message.User("x")), PATIENCE, word -> {}));
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

    @Test
    void aCallWithoutANameIsTheModelsNonsenseAndNotOurs() {
        Turn nameless = Turn.calls(new ToolCall("call_1", " ", "{}"));
        try (VendorServer server = server("openai", nameless)) {
            Failure failure = failure(model("openai", server));
            assertThat(failure.code()).isEqualTo("malformed-answer");
            assertThat(failure.isPassing()).isTrue();
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

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void aQuestionThatNobodyWaitsForIsTakenBack(String vendor) throws Exception {
        try (VendorServer server = server(vendor, new Turn.Endless(), new Turn.Endless())) {
            Model model = model(vendor, server);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    model.ask(prompt(new Message.User("x")), PATIENCE, word -> {});
                                } catch (InterruptedException | RuntimeException e) {
                                    thrown.set(e);
                                }
                            });
            until(server, 1);
            thread.interrupt();
            thread.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            until(server, 0);

            Failure late =
                    catchThrowableOfType(
                            Failure.class,
                            () ->
                                    model.ask(
                                            prompt(new Message.User("x")),
                                            Duration.ofMillis(300),
                                            word -> {}));
            assertThat(late.code()).isEqualTo("time-out");
            until(server, 0);
        }
    }

    /** Waits until so many listen to it. */
    private static void until(VendorServer server, int listening) throws InterruptedException {
        while (server.listening() != listening) {
            Thread.sleep(5);
        }
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

    @Test
    void whoeverListensAndFailsDoesNotCostTheAnswer() throws Exception {
        try (VendorServer server = server("openai", Turn.says("The answer is 42."))) {
            Reply reply =
                    model("openai", server)
                            .ask(
                                    prompt(new Message.User("x")),
                                    PATIENCE,
                                    word -> {
                                        throw new IllegalStateException("deaf");
                                    });
            assertThat(reply.message().text()).isEqualTo("The answer is 42.");
        }
    }

    private static final String SCHEMA =
            """
            {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}
            """;

    private static Prompt bound(boolean tools) {
        return new Prompt(
                "Be brief.",
                List.of(new Message.User("x")),
                tools ? prompt().tools() : List.of(),
                Optional.of(json(SCHEMA)),
                500);
    }

    @ParameterizedTest
    @CsvSource({
        "openai,false,/response_format/json_schema/schema/properties/city/type",
        "openai,true,/response_format/json_schema/schema/properties/city/type",
        "anthropic,true,/output_config/format/schema/properties/city/type",
        "google,false,/generationConfig/responseJsonSchema/properties/city/type",
        "ollama,false,/format/properties/city/type",
    })
    void theSchemaOfAnAnswerReachesTheVendor(String vendor, boolean tools, String where)
            throws Exception {
        try (VendorServer server = server(vendor, Turn.says("{\"city\":\"Rome\"}"))) {
            model(vendor, server).ask(bound(tools), PATIENCE, word -> {});
            assertThat(server.requests().getFirst().at(where).asText()).isEqualTo("string");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"google", "ollama"})
    void whereItWouldForbidTheCallOfToolsTheSchemaIsSaidInWords(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("{\"city\":\"Rome\"}"))) {
            model(vendor, server).ask(bound(true), PATIENCE, word -> {});
            JsonNode request = server.requests().getFirst();
            assertThat(request.toString()).contains("\\\"city\\\"", "Adds two numbers");
            assertThat(request.has("format")).isFalse();
            assertThat(request.at("/generationConfig/responseMimeType").asText())
                    .isNotEqualTo("application/json");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void whoTakesNoSchemaIsToldInWordsFromThenOn(String vendor) throws Exception {
        Turn answer = Turn.says("{\"city\":\"Rome\"}");
        try (VendorServer server =
                server(vendor, Turn.fails(400, "no such parameter"), answer, answer)) {
            Model model = model(vendor, server);
            assertThat(model.ask(bound(false), PATIENCE, word -> {}).message().text())
                    .contains("Rome");
            model.ask(bound(false), PATIENCE, word -> {});
            assertThat(server.requests()).hasSize(3);
            assertThat(server.requests().subList(1, 3))
                    .allSatisfy(request -> {
                        assertThat(request.has("response_format")).isFalse();
                        assertThat(request.has("output_config")).isFalse();
                        assertThat(request.toString()).contains("\\\"city\\\"");
                    });
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
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void callsOfAnAnswerThatBreaksOffAreNotMade(String vendor) {
        ToolCall call = new ToolCall("1", "add", "{\"a\":1}");
        try (VendorServer server = server(vendor, new Turn.Stops(List.of(call, call)))) {
            Failure failure = failure(model(vendor, server));
            assertThat(failure.isPassing()).isTrue();
            assertThat(failure.code()).isIn("unreachable", "malformed-answer");
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

    private record Nothing() {}

    @Test
    void theTimeForAnAnswerIsThatOfBothQuestions() {
        Turn refused = new Turn.Slow(Duration.ofMillis(1_500), Turn.fails(400, "no schema"));
        Turn late = new Turn.Slow(Duration.ofMillis(1_500), Turn.says("{\"city\":\"Rome\"}"));
        try (VendorServer server = server("openai", refused, late)) {
            Model model = model("openai", server);
            Failure failure =
                    catchThrowableOfType(
                            Failure.class,
                            () -> model.ask(bound(false), Duration.ofSeconds(2), word -> {}));
            assertThat(failure.code()).isEqualTo("time-out");
            assertThat(failure).hasMessageEndingWith("no answer in PT2S");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gpt-5-mini,max_completion_tokens,max_tokens",
        "o4-mini,max_completion_tokens,max_tokens",
        "openai/gpt-5,max_completion_tokens,max_tokens",
        "llama-3,max_tokens,max_completion_tokens",
    })
    void theLimitOfAnAnswerHasTheNameThatTheModelKnows(String model, String name, String other)
            throws Exception {
        try (VendorServer server = server("openai", Turn.says("ok"))) {
            Models.open("openai:" + model + "@" + server.address(), KEYS)
                    .ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            JsonNode request = server.requests().getFirst();
            assertThat(request.path(name).asInt()).isEqualTo(500);
            assertThat(request.has(other)).isFalse();
        }
        assertThat(LangChainMessages.request(prompt(), ModelSpec.of("openai:gpt-4o")).parameters())
                .isInstanceOfSatisfying(
                        OpenAiChatRequestParameters.class,
                        own -> assertThat(own.maxCompletionTokens()).isEqualTo(500));
    }

    private record Limits(int one, long two, Set<Short> minimum) {}

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void eachVendorGetsTheLimitsThatItTakes(String vendor) throws Exception {
        ToolOffer tool = new ToolOffer("t", "A tool", ParameterSchema.of(Limits.class));
        Prompt asked =
                new Prompt("", List.of(new Message.User("x")), List.of(tool), Optional.empty(), 9);
        Prompt bound =
                new Prompt(
                        "",
                        List.of(new Message.User("x")),
                        List.of(),
                        Optional.of(ParameterSchema.of(Limits.class)),
                        9);
        try (VendorServer server = server(vendor, Turn.says("x"), Turn.says("x"))) {
            Model model = model(vendor, server);
            model.ask(asked, PATIENCE, word -> {});
            model.ask(bound, PATIENCE, word -> {});

            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().toString())
                    .doesNotContain(String.valueOf(Long.MIN_VALUE))
                    .doesNotContain(String.valueOf(Long.MAX_VALUE));
            assertThat(server.requests().getFirst().findParents("one"))
                    .isNotEmpty()
                    .allMatch(members -> members.has("minimum"));
            assertThat(server.requests().getFirst().findPath("one").has("maximum"))
                    .isEqualTo(!vendor.equals("google"));
            assertThat(server.requests().getLast().findPath("one").has("maximum"))
                    .isEqualTo(!vendor.equals("anthropic"));
        }
    }

    @Test
    void googleGetsSchemasInTheWordsThatItKnows() throws Exception {
        JsonNode schema =
                json(
                        """
                        {"type":"object","properties":{
                          "root":{"$ref":"#/$defs/node"},
                          "kind":{"enum":["a","b"],"description":"which"},
                          "one":{"const":"x"},
                          "count":{"type":"integer","minimum":1,"default":3},
                          "maybe":{"type":["string","null"]},
                          "either":{"oneOf":[{"type":"number"},{"type":"boolean"}]},
                          "tags":{"type":"array","items":{"type":"string","maxLength":3}},
                          "far":{"$ref":"http://elsewhere/x"},
                          "circle":{"$ref":"#/properties/circle"}},
                         "required":["root","gone"],
                         "$defs":{"node":{"type":"object","properties":{
                            "left":{"$ref":"#/$defs/node"},"right":{"$ref":"#/$defs/node"}}}}}
                        """);
        Prompt prompt =
                new Prompt(
                        "",
                        List.of(new Message.User("x")),
                        List.of(
                                new ToolOffer("plant", "Plants a tree", schema),
                                new ToolOffer("rest", "Rests", json("{\"type\":\"object\"}"))),
                        Optional.empty(),
                        500);
        try (VendorServer server = server("google", Turn.says("ok"))) {
            model("google", server).ask(prompt, PATIENCE, word -> {});
            JsonNode tools = server.requests().getFirst().at("/tools/0/functionDeclarations");
            JsonNode sent = tools.at("/0/parameters/properties");
            assertThat(sent.path("root").at("/properties/left/type").asText()).isEqualTo("OBJECT");
            assertThat(sent.at("/kind/enum").valueStream().map(JsonNode::asText))
                    .containsExactly("a", "b");
            assertThat(sent.at("/kind/description").asText()).isEqualTo("which");
            assertThat(sent.at("/one/enum/0").asText()).isEqualTo("x");
            assertThat(sent.at("/count/type").asText()).isEqualTo("INTEGER");
            assertThat(sent.at("/maybe/anyOf").findValuesAsText("type"))
                    .containsExactly("STRING", "NULL");
            assertThat(sent.at("/either/anyOf").findValuesAsText("type"))
                    .containsExactly("NUMBER", "BOOLEAN");
            assertThat(sent.at("/tags/items/type").asText()).isEqualTo("STRING");
            assertThat(tools.at("/0/parameters/required/0").asText()).isEqualTo("root");
            assertThat(tools.at("/0/parameters/required")).hasSize(1);
            assertThat(tools.at("/1/parameters").isMissingNode()).isTrue();
            assertThat(sent.toString()).doesNotContain("$ref").hasSizeLessThan(1_000_000);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nobody:x,there is no vendor 'nobody'",
        "openai,names no model",
        "openai:,names no model",
        "openai:x@http://,its address is none",
        "openai:x@http:///v1,its address is none",
        "openai:x@http://h:0/v1,its address is none",
        "openai:x@http://h:99999/v1,its address is none",
        "openai:x@http://[::1,its address is none",
        "openai:x@http://h/v1?key=x,its address is none",
        "openai:x@http://h/v1#x,its address is none",
        "openai:x@localhost:8000/v1,does not begin with http",
        "openai:x@ftp://h,does not begin with http",
        "openai:x@,does not begin with http",
        "openai:x@https,does not begin with http",
        "openai: x,there are blanks",
        "'',there is no vendor ''",
    })
    void aSpecificationThatIsNoneIsRefusedWithAReason(String spec, String why) {
        assertThatThrownBy(() -> Models.open(spec, KEYS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aPasswordInAnAddressIsRefusedAndNotShown() {
        assertThatThrownBy(() -> Models.open("openai:x@http://ann:hunter2@h/v1", KEYS))
                .hasMessageContaining("its address is none")
                .hasMessageNotContainingAny("ann", "hunter2");
    }

    @ParameterizedTest
    @CsvSource({
        "openai:x@HTTP://h/v1,HTTP://h/v1",
        "openai:@cf/meta/llama@https://h/v1/,https://h/v1/",
        "ollama:hf.co/a/b:Q4@http://[::1]:8000,http://[::1]:8000",
    })
    void addressesOfManyFormsAreRead(String spec, String address) {
        assertThat(ModelSpec.of(spec).address()).contains(URI.create(address));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "google", "ollama"})
    void aSlashBehindTheAddressDoesNoHarm(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("ok"))) {
            Models.open(vendor + ":test@" + server.address() + "/", KEYS)
                    .ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            assertThat(server.paths()).noneMatch(path -> path.contains("//"));
        }
    }

    @Test
    void aServerThatHasNoAddressIsToldLikeOneThatIsNotThere() {
        Failure failure = failure(Models.open("openai:x@http://nowhere.invalid/v1", KEYS));
        assertThat(failure).hasMessageContaining("Is the server running");
        assertThat(failure.used()).contains(Cost.NONE.modelCalls(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sk-one\nsk-two", "sk-\u00e4", "sk one"})
    void aKeyThatIsNoneIsRefusedAndNotShown(String key) {
        assertThatThrownBy(() -> Models.open("openai:x", Map.of("OPENAI_API_KEY", key)))
                .hasMessageContaining("OPENAI_API_KEY")
                .hasMessageNotContaining("sk");
    }

    @Test
    void aMissingKeyIsNamed() {
        assertThatThrownBy(() -> Models.open("anthropic:claude", Map.of()))
                .hasMessage("The model anthropic:claude needs a key: set ANTHROPIC_API_KEY");
        assertThat(Models.open("ollama:llama3", Map.of()).name()).isEqualTo("ollama:llama3");
    }
}
