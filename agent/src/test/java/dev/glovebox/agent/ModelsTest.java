package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.KEYS;
import static dev.glovebox.agent.Vendors.PATIENCE;
import static dev.glovebox.agent.Vendors.failure;
import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.prompt;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Failure;
import dev.langchain4j.model.openai.OpenAiChatRequestParameters;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real clients of vendors, against servers that speak like them. */
class ModelsTest {

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
            long read = vendor.equals("ollama") ? 0 : 60;
            long written = vendor.equals("anthropic") ? 10 : 0;
            assertThat(reply.usage()).isEqualTo(new Usage(100, read, written, 20));
            assertThat(reply.isCut()).isFalse();
            assertThat(server.requests().getFirst().toString())
                    .contains("Be brief.", "What?", "Adds two numbers", "500");
        }
    }

    @Test
    void whatAVendorDoesNotCountIsEstimated() throws Exception {
        String events =
                """
                {"type":"ping"}

                event: message_start
                data: {"type":"message_start","message":{"id":"1","type":"message",\
                "role":"assistant","content":[],"model":"test"}}

                event: content_block_start
                data: {"type":"content_block_start","index":0,\
                "content_block":{"type":"text","text":""}}

                event: content_block_delta
                data: {"type":"content_block_delta","index":0,\
                "delta":{"type":"text_delta","text":"The answer is 42."}}

                event: content_block_stop
                data: {"type":"content_block_stop","index":0}

                event: message_delta
                data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}

                event: message_stop
                data: {"type":"message_stop"}\
                """;
        Prompt prompt = prompt(new Message.User("What?"));
        try (VendorServer server = server("anthropic", new Turn.Garbage(events))) {
            Reply reply = model("anthropic", server).ask(prompt, PATIENCE, word -> {});
            assertThat(reply.message().text()).isEqualTo("The answer is 42.");
            assertThat(reply.usage())
                    .isEqualTo(Usage.of(Tokens.of(prompt), Tokens.of(reply.message())));
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

    @Test
    void whatIsTooLongForOllamaIsRefusedAndNotCutWithoutAWord() throws Exception {
        String tooLong = "request (8889 tokens) exceeds the available context size (4096 tokens)";
        try (VendorServer server = server("ollama", Turn.fails(400, tooLong))) {
            assertThat(failure(model("ollama", server)).code()).isEqualTo("context-too-long");
            JsonNode truncate = server.requests().getFirst().path("truncate");
            assertThat(truncate.isBoolean()).isTrue();
            assertThat(truncate.booleanValue()).isFalse();
        }
    }

    @Test
    void whatAUserSaysTwiceInTurnIsOneMessage() throws Exception {
        try (VendorServer server = server("openai", Turn.says("ok"))) {
            model("openai", server)
                    .ask(
                            prompt(
                                    new Message.User("A task"),
                                    new Message.User("What is known of it"),
                                    Message.Assistant.of("Well."),
                                    new Message.User("Go on")),
                            PATIENCE,
                            word -> {});
            assertThat(server.requests().getFirst().path("messages"))
                    .extracting(message -> message.path("role").asText())
                    .containsExactly("system", "user", "assistant", "user");
            assertThat(server.requests().getFirst().at("/messages/1/content").toString())
                    .contains("A task", "What is known of it");
        }
    }

    private static Turn ending(String reason, String usage) {
        return new Turn.Garbage(
                """
                {"id":"1","choices":[{"index":0,"delta":{"content":"Forty-two."},"finish_reason":null}]}

                data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"%s"}]%s}

                data: [DONE]\
                """
                        .formatted(reason, usage));
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "ollama"})
    void anAnswerThatHasComeIsNotWaitedForUntilTheConnectionEnds(String vendor) throws Exception {
        Turn holds = new Turn.Holds("The answer is 42.", Duration.ofDays(1));
        try (VendorServer server = server(vendor, holds)) {
            Reply reply =
                    model(vendor, server).ask(prompt(new Message.User("x")), PATIENCE, word -> {});
            assertThat(reply.message().text()).isEqualTo("The answer is 42.");
            assertThat(reply.usage().output()).isEqualTo(20);
            until(server, 0);
        }
    }

    @Test
    void whatXaiLeavesOutOfTheWordsThatItCountsIsCounted() throws Exception {
        String usage =
                """
                ,"usage":{"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,\
                "completion_tokens_details":{"reasoning_tokens":94}}\
                """;
        try (VendorServer server = server("openai", ending("stop", usage))) {
            Reply reply =
                    model("openai", server)
                            .ask(prompt(new Message.User("x")), PATIENCE, heard -> {});
            assertThat(reply.usage()).isEqualTo(Usage.of(32, 103));
        }
    }

    @Test
    void whatAServerRemembersIsNotCountedAsWritten() throws Exception {
        String usage =
                """
                ,"usage":{"prompt_tokens":4000,"completion_tokens":20,"total_tokens":9020,\
                "prompt_tokens_details":{"cached_tokens":5000}}\
                """;
        try (VendorServer server = server("openai", ending("stop", usage))) {
            Reply reply =
                    model("openai", server)
                            .ask(prompt(new Message.User("x")), PATIENCE, heard -> {});
            assertThat(reply.usage()).isEqualTo(new Usage(5000, 5000, 0, 20));
        }
    }

    @Test
    void anAnswerThatEndsWhereTheContextOfMistralsModelEndsIsCut() throws Exception {
        try (VendorServer server = server("openai", ending("model_length", ""))) {
            Reply reply =
                    model("openai", server)
                            .ask(prompt(new Message.User("x")), PATIENCE, heard -> {});
            assertThat(reply.message().text()).isEqualTo("Forty-two.");
            assertThat(reply.isCut()).isTrue();
        }
    }

    @Test
    void whatMistralsModelsSayInListsIsHeardWithoutWhatTheyThink() throws Exception {
        String events =
                """
                {"id":"1","choices":[{"index":0,"delta":{"content":[\
                {"type":"thinking","thinking":[{"type":"text","text":"Hm."}]}]},"finish_reason":null}]}

                data: {"id":"1","choices":[{"index":0,"delta":{"content":[\
                {"type":"thinking","thinking":[]},{"type":"text","text":"Forty"}]},"finish_reason":null}]}

                data: {"id":"1","choices":[{"index":0,"delta":{"content":"-two."},"finish_reason":"stop"}]}

                data: [DONE]\
                """;
        try (VendorServer server = server("openai", new Turn.Garbage(events))) {
            StringBuilder words = new StringBuilder();
            Reply reply =
                    model("openai", server)
                            .ask(prompt(new Message.User("x")), PATIENCE, words::append);
            assertThat(reply.message()).isEqualTo(Message.Assistant.of("Forty-two."));
            assertThat(words).hasToString("Forty-two.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"eos", "eos_token"})
    void aServerMaySayInItsOwnWordThatAnAnswerIsAtItsEnd(String word) throws Exception {
        try (VendorServer server = server("openai", ending(word, ""))) {
            Reply reply =
                    model("openai", server)
                            .ask(prompt(new Message.User("x")), PATIENCE, heard -> {});
            assertThat(reply.message().text()).isEqualTo("Forty-two.");
            assertThat(reply.isCut()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "anthropic", "ollama"})
    void aConnectionThatEndsItsAnswerALittleLaterServesTheNextQuestion(String vendor)
            throws Exception {
        Turn late = new Turn.Holds("ok", Duration.ofMillis(20));
        List<Turn> turns = Collections.nCopies(20, late);
        try (VendorServer server = server(vendor, turns.toArray(Turn[]::new))) {
            Model model = model(vendor, server);
            for (int i = 0; i < turns.size(); i++) {
                model.ask(prompt(new Message.User("x")), PATIENCE, word -> {});
                until(server, 0);
            }
            assertThat(server.connections()).hasSizeLessThan(turns.size());
        }
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
    void whoeverListensAndFailsDoesNotCostTheAnswer() throws Exception {
        Consumer<String> deaf =
                word -> {
                    throw new IllegalStateException("deaf");
                };
        Consumer<String> asserting =
                word -> {
                    throw new AssertionError("It was to say nothing");
                };
        for (Consumer<String> listener : List.of(deaf, asserting)) {
            try (VendorServer server = server("openai", Turn.says("The answer is 42."))) {
                Reply reply =
                        model("openai", server)
                                .ask(prompt(new Message.User("x")), PATIENCE, listener);
                assertThat(reply.message().text()).isEqualTo("The answer is 42.");
            }
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

    @Test
    void aModelBehindANameOfItsOwnIsAskedAgainWithTheOtherNameOfTheLimit() throws Exception {
        Turn refuses =
                Turn.fails(
                        400,
                        "Unsupported parameter: 'max_tokens' is not supported with this model."
                                + " Use 'max_completion_tokens' instead.");
        try (VendorServer server = server("openai", refuses, Turn.says("ok"), Turn.says("ok"))) {
            Model model = model("openai", server);
            for (int i = 0; i < 2; i++) {
                Reply reply = model.ask(prompt(new Message.User("x")), PATIENCE, word -> {});
                assertThat(reply.message().text()).isEqualTo("ok");
            }
            assertThat(server.requests())
                    .extracting(request -> request.path("max_completion_tokens").asInt())
                    .containsExactly(0, 500, 500);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 422})
    void whatWasSaidBesideACallIsLeftOutWhereBothAreRefused(int status) throws Exception {
        String both = "Assistant message must have either content or tool_calls, but not both.";
        Turn ok = Turn.says("ok");
        try (VendorServer server = server("openai", Turn.fails(status, both), ok, ok)) {
            Model model = model("openai", server);
            ToolCall call = new ToolCall("c00010000", "add", "{\"a\":1}");
            Prompt prompt =
                    prompt(
                            new Message.User("x"),
                            Message.Assistant.of("I add.").calling(List.of(call)),
                            new Message.ToolResult("c00010000", "add", "1", false),
                            Message.Assistant.of("One."),
                            new Message.User("y"));
            for (int i = 0; i < 2; i++) {
                Reply reply = model.ask(prompt, PATIENCE, word -> {});
                assertThat(reply.message().text()).isEqualTo("ok");
            }
            assertThat(server.requests())
                    .extracting(request -> request.at("/messages/2/content").asText())
                    .containsExactly("I add.", "", "");
            assertThat(server.requests().getLast().toString()).contains("tool_calls", "One.");
        }
    }
}
