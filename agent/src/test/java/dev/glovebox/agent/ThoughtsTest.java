package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.PATIENCE;
import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.prompt;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Runs;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Servers that leave in an answer what the model thought before it, through the real clients. */
class ThoughtsTest {

    private record Sum(int a, int b) {}

    private static final String ANSWER = "It is 42.";
    private static final int PARTS = 1_000_000;
    private static final String UNTAGGED = "Forty and two.\n</think>\n\n" + ANSWER;

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    /** What a model was heard to say, and what its answer is. */
    private record Heard(String words, Reply reply) {}

    private static Heard heard(Model model) throws InterruptedException {
        StringBuilder words = new StringBuilder();
        Reply reply = model.ask(prompt(new Message.User("What?")), PATIENCE, words::append);
        return new Heard(words.toString(), reply);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "ollama"})
    void whatIsThoughtBeforeAnAnswerIsNoPartOfIt(String vendor) throws Exception {
        for (String thought :
                List.of(
                        "<think>\nForty and two.\n</think>\n\n",
                        "\n<think>Is it <b>bold</b>?</think>",
                        "<think>\n\n</think>\n\n",
                        "<think>It ends with a tag:</think> ")) {
            try (VendorServer server = server(vendor, Turn.says(thought + ANSWER))) {
                Heard heard = heard(model(vendor, server));
                assertThat(heard.reply().message()).isEqualTo(Message.Assistant.of(ANSWER));
                assertThat(heard.words()).isEqualTo(ANSWER);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "ollama"})
    void aThoughtWhoseFirstTagIsInTheQuestionIsHeardOnce(String vendor) throws Exception {
        Turn turn = Turn.says(UNTAGGED);
        try (VendorServer server = server(vendor, turn, turn, Turn.says("At once."))) {
            Model model = model(vendor, server);
            assertThat(heard(model).reply().message().text()).isEqualTo(ANSWER);
            Heard next = heard(model);
            assertThat(next.reply().message().text()).isEqualTo(ANSWER);
            assertThat(next.words()).isEqualTo(ANSWER);
            Heard last = heard(model);
            assertThat(last.reply().message().text()).isEqualTo("At once.");
            assertThat(last.words()).isEqualTo("At once.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "ollama"})
    void aThoughtWhoseFirstTagIsInTheQuestionMayHaveJsonBehindIt(String vendor) throws Exception {
        String json = "{\"a\": 1}";
        for (String thought :
                List.of(
                        "So it is 1. </think>",
                        "So it is\n1.</think> ",
                        "```\nSome code\n```\nSo it is 1.</think>\n\n")) {
            for (String answer :
                    List.of(json, "[\"a\"]", "{\n  \"a\": 1\n}", "```json\n" + json + "\n```")) {
                Turn turn = Turn.says(thought + answer);
                try (VendorServer server = server(vendor, turn, turn)) {
                    Model model = model(vendor, server);
                    assertThat(heard(model).reply().message().text()).isEqualTo(answer);
                    Heard next = heard(model);
                    assertThat(next.reply().message().text()).isEqualTo(answer);
                    assertThat(next.words()).isEqualTo(answer);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "ollama"})
    void anAnswerThatTalksOfTheTagsStaysWhole(String vendor) throws Exception {
        for (String answer :
                List.of(
                        "Some write <think>so</think> first.",
                        "```\n<think>\nso\n</think>\n```\nis how some write.",
                        "Cut it: `text.split(\"</think>\")`",
                        "The last one is\n</think>, and then they answer.",
                        "Use this template:\n\n```\nHello\n</think>\n```\nDone.",
                        "A template:\n```jinja\n{{ text }}</think>{\"a\":1}\n```\nDone.",
                        "It is ```</think>``` that they end with.",
                        "Some thoughts end with </think> [1].",
                        "<thinking> is another tag.",
                        "<thi")) {
            try (VendorServer server = server(vendor, Turn.says(answer))) {
                Heard heard = heard(model(vendor, server));
                assertThat(heard.reply().message().text()).isEqualTo(answer);
                assertThat(heard.words()).isEqualTo(answer);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "google"})
    void whoseServersLeaveNoThoughtsInAnswersMaySayAnything(String vendor) throws Exception {
        String answer = "<think>so</think> is how some write.";
        try (VendorServer server = server(vendor, Turn.says(answer))) {
            Heard heard = heard(model(vendor, server));
            assertThat(heard.reply().message().text()).isEqualTo(answer);
            assertThat(heard.words()).isEqualTo(answer);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openai", "ollama"})
    void aThoughtThatIsCutIsNoAnswer(String vendor) throws Exception {
        Turn cut = new Turn.Says("<think>\nOne could also", List.of(), true);
        try (VendorServer server = server(vendor, cut)) {
            Heard heard = heard(model(vendor, server));
            assertThat(heard.reply().message()).isEqualTo(Message.Assistant.of(""));
            assertThat(heard.reply().isCut()).isTrue();
            assertThat(heard.words()).isEmpty();
        }
    }

    @Test
    void aThoughtBeforeACallOrAnAnswerIsNotKept() {
        ToolCall add = new ToolCall("1", "add", "{\"a\":40,\"b\":2}");
        Turn calls = new Turn.Says("<think>\nI add.\n</think>\n\n", List.of(add), false);
        try (VendorServer server = server("openai", calls, Turn.says(UNTAGGED))) {
            Agent agent =
                    Agent.named("adder", model("openai", server))
                            .tools(Tools.of("add", "Adds", Sum.class, sum -> sum.a() + sum.b()))
                            .build();

            TaskResult result = agent.run(runs, "What is 40 + 2?");

            assertThat(result.text()).isEqualTo(ANSWER);
            assertThat(result.messages().toString()).doesNotContain("think", "I add", "Forty");
            assertThat(server.requests().toString()).doesNotContain("think", "I add");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<think>So.</think>;\n",
                "Some </think> so.;\n",
                "It ends with </think>;\n",
                "So.\n```\n</think>\n;word\n",
                "Some </think> so.;</think> ",
            })
    void howeverManyWordsAreKeptBackEachIsLookedAtOnce(String answer) {
        String begin = answer.split(";")[0];
        String part = answer.split(";")[1];
        StringBuilder words = new StringBuilder();
        Thoughts thoughts = new Thoughts(words::append, true);

        thoughts.hear(begin);
        for (int i = 0; i < PARTS; i++) {
            thoughts.hear(part);
        }
        thoughts.hear("42.");
        thoughts.end();

        assertThat(words).endsWith("42.");
        assertThat(Thoughts.without(begin + part.repeat(PARTS) + "42."))
                .isEqualTo(words.toString());
    }
}
