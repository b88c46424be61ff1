package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real clients of vendors, against servers that speak like them. */
class ModelsTest {

    private static final Map<String, String> KEYS =
            Map.of("ANTHROPIC_API_KEY", "a-key", "OPENAI_API_KEY", "another-key");
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static VendorServer server(String vendor, Turn... turns) {
        return vendor.equals("openai") ? OpenAiServer.start(turns) : AnthropicServer.start(turns);
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
    @ValueSource(strings = {"openai", "anthropic"})
    void anAnswerComesAsWordsAndWithWhatItCost(String vendor) throws Exception {
        try (VendorServer server = server(vendor, Turn.says("The answer is 42."))) {
            StringBuilder words = new StringBuilder();
            Reply reply =
                    model(vendor, server)
                            .ask(prompt(new Message.User("What?")), PATIENCE, words::append);
            assertThat(reply.message()).isEqualTo(Message.Assistant.of("The answer is 42."));
            assertThat(words).hasToString("The answer is 42.");
            assertThat(reply.usage()).isEqualTo(new Usage(100, 60, 20));
            assertThat(reply.isCut()).isFalse();
            assertThat(server.requests().getFirst().toString())
                    .contains("Be brief.", "What?", "Adds two numbers", "500");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
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
            assertThat(server.requests().get(1).toString()).contains("call_1", "call_2", "broken");
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
        "openai,cut", "openai,garbage", "openai,half",
        "anthropic,cut", "anthropic,garbage", "anthropic,half"
    })
    void anAnswerThatIsNoneIsAPassingFailure(String vendor, String how) {
        Turn turn =
                switch (how) {
                    case "cut" -> new Turn.Cut("A long answer that nobody will see the end of");
                    case "half" -> new Turn.Garbage("{\"choices\":[{\"delta\":");
                    default -> new Turn.Garbage("<html>no</html>");
                };
        try (VendorServer server = server(vendor, turn)) {
            assertThatThrownBy(() ->
                            model(vendor, server)
                                    .ask(
                                            prompt(new Message.User("x")),
                                            Duration.ofSeconds(5),
                                            word -> {}))
                    .isInstanceOfSatisfying(
                            Failure.class, failure -> assertThat(failure.isPassing()).isTrue());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic"})
    void whoeverIsInterruptedDoesNotWait(String vendor) throws Exception {
        Turn slow = new Turn.Slow(Duration.ofMinutes(10), Turn.says("late"));
        try (VendorServer server = server(vendor, slow)) {
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            CountDownLatch asked = new CountDownLatch(1);
            Model model = model(vendor, server);
            Thread thread =
                    Thread.ofVirtual()
                            .start(() -> {
                                try {
                                    asked.countDown();
                                    model.ask(prompt(new Message.User("x")), PATIENCE, word -> {});
                                } catch (InterruptedException | RuntimeException e) {
                                    thrown.set(e);
                                }
                            });
            asked.await();
            thread.interrupt();
            thread.join();
            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "nobody:x,there is no vendor 'nobody'",
        "openai,names no model",
        "openai:,names no model",
        "openai:x@http://,its address is none",
        "'',there is no vendor ''",
    })
    void aSpecificationThatIsNoneIsRefusedWithAReason(String spec, String why) {
        assertThatThrownBy(() -> Models.open(spec, KEYS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    @Test
    void aMissingKeyIsNamed() {
        assertThatThrownBy(() -> Models.open("anthropic:claude", Map.of()))
                .hasMessage("The model anthropic:claude needs a key: set ANTHROPIC_API_KEY");
        assertThat(Models.open("ollama:llama3", Map.of()).name()).isEqualTo("ollama:llama3");
    }
}
