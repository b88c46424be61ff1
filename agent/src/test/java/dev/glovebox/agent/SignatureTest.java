package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.GoogleServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Runs;
import dev.langchain4j.data.message.AiMessage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What models think comes back to them with their calls, and to nobody else. */
class SignatureTest {

    private static final Map<String, String> KEYS =
            Map.of("GOOGLE_API_KEY", "any", "OPENAI_API_KEY", "any");
    private static final String OF_ANOTHER = "skip_thought_signature_validator";

    private record Sum(int a, int b) {}

    private static final Tool ADD =
            Tools.of("add", "Adds two numbers", Sum.class, sum -> sum.a() + sum.b());
    private static final Turn ADDS =
            Turn.calls(
                    // Without ids of their own they are given some.
                    new ToolCall("", "add", "{\"a\":1,\"b\":1}"),
                    new ToolCall("", "add", "{\"a\":2,\"b\":1}"));

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    private static Model model(String spec, VendorServer server) {
        return Models.open(spec + "@" + server.address(), KEYS);
    }

    private TaskResult run(Agent agent) {
        TaskResult result = agent.run(runs, "Go.");
        assertThat(runs.replay(agent.graph(), result.run()).isFaithful()).isTrue();
        return result;
    }

    private static List<String> sent(VendorServer server) {
        return server.requests().getLast().findValuesAsText("thoughtSignature");
    }

    @Test
    void itComesBackAsItWasWhateverGuardrailsThinkOfIt() {
        try (GoogleServer server = GoogleServer.start(ADDS, ADDS, Turn.says("Done."))) {
            Agent agent =
                    Agent.named("adder", model("google:gemini-3-pro", server))
                            .tools(ADD)
                            .guardrails(Guardrails.standard())
                            .build();
            TaskResult result = run(agent);

            assertThat(result.text()).isEqualTo("Done.");
            List<Optional<Message.Signature>> signatures =
                    result.messages().stream()
                            .filter(Message.Assistant.class::isInstance)
                            .map(message -> ((Message.Assistant) message).signature())
                            .toList();
            assertThat(signatures).hasSize(3);
            assertThat(signatures.get(2)).isEmpty();
            assertThat(sent(server))
                    .doesNotContain(OF_ANOTHER)
                    .containsExactly(
                            signatures.get(0).orElseThrow().text(),
                            signatures.get(1).orElseThrow().text());
        }
    }

    @Test
    void nobodyElseGetsIt() {
        try (GoogleServer small = GoogleServer.start(ADDS, Turn.says("Sure!"));
                OpenAiServer middle = OpenAiServer.start(ADDS, Turn.says("Well."));
                GoogleServer large = GoogleServer.start(Turn.says("{\"a\":1,\"b\":2}"))) {
            Agent agent =
                    Agent.named(
                                    "climber",
                                    model("google:gemini-3-flash", small),
                                    model("openai:test", middle),
                                    model("google:gemini-3-pro", large))
                            .tools(ADD)
                            .output(Sum.class)
                            .build();

            assertThat(run(agent).output(Sum.class)).isEqualTo(new Sum(1, 2));
            String signature = sent(small).getFirst();
            assertThat(middle.requests().toString()).contains("Sure!").doesNotContain(signature);
            assertThat(large.requests().toString()).contains("Well.").doesNotContain(signature);
            assertThat(sent(large)).containsExactly(OF_ANOTHER, OF_ANOTHER);
        }
    }

    private static Turn thinking(String thought) {
        return new Turn.Garbage(
                """
                {"id":"1","choices":[{"index":0,"delta":{"reasoning_content":"%s"},"finish_reason":null}]}

                data: {"id":"1","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a",\
                "function":{"name":"add","arguments":"{\\"a\\":1,\\"b\\":1}"}}]},"finish_reason":null}]}

                data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}

                data: [DONE]\
                """
                        .formatted(thought));
    }

    private static List<String> thoughts(VendorServer server) {
        return server.requests().getLast().findValuesAsText("reasoning_content");
    }

    @Test
    void whatIsThoughtInPlainWordsComesBackToThatModelAlone() {
        try (OpenAiServer small =
                        OpenAiServer.start(
                                thinking("One more."), thinking("Again."), Turn.says("Sure!"));
                OpenAiServer large = OpenAiServer.start(Turn.says("{\"a\":1,\"b\":2}"))) {
            Agent agent =
                    Agent.named(
                                    "climber",
                                    model("openai:kimi-k2.5", small),
                                    model("openai:test", large))
                            .tools(ADD)
                            .output(Sum.class)
                            .build();

            assertThat(run(agent).output(Sum.class)).isEqualTo(new Sum(1, 2));
            assertThat(thoughts(small)).containsExactly("One more.", "Again.");
            assertThat(thoughts(large)).isEmpty();
        }
    }

    @Test
    void whatIsThoughtInPlainWordsIsGuarded() {
        String secret = new FakeSecrets(1).vendors().getFirst().secret();
        try (OpenAiServer server =
                OpenAiServer.start(thinking("The key is " + secret), Turn.says("Done."))) {
            Agent agent =
                    Agent.named("adder", model("openai:kimi-k2.5", server))
                            .tools(ADD)
                            .guardrails(Guardrails.standard())
                            .build();
            TaskResult result = run(agent);

            assertThat(thoughts(server)).hasSize(1);
            assertThat(thoughts(server).getFirst()).startsWith("The key is ");
            assertThat(result.messages().toString()).doesNotContain(secret);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "gemini-2.5-flash,",
        "gemini-1.5-pro,",
        "gemini-3-pro-preview," + OF_ANOTHER,
        "gemini-3.1-flash," + OF_ANOTHER,
        "gemini-flash-latest," + OF_ANOTHER,
    })
    void olderModelsAreToldNothingOfCallsThatTheyDidNotMake(String name, String expected) {
        Message.Assistant before =
                new Message.Assistant(
                        "",
                        List.of(new ToolCall("1", "add", "{\"a\":1,\"b\":2}")),
                        Optional.of(new Message.Signature("google:another", "a thought")));
        Prompt prompt = new Prompt("", List.of(before), List.of(), Optional.empty(), 100);

        AiMessage sent =
                (AiMessage)
                        LangChainMessages.request(prompt, ModelSpec.of("google:" + name))
                                .messages()
                                .getLast();

        assertThat(sent.attribute("thinking_signature", String.class)).isEqualTo(expected);
    }
}
