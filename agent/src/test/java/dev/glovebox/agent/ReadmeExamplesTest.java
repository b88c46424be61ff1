package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.OpenAiServer;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.store.SqliteStore;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The agent of {@code README.md}: offline, and with vendors. */
class ReadmeExamplesTest {

    @TempDir private Path home;

    @Test
    void offline() {
        record Sum(int a, int b) {}
        Tool add = Tools.of("add", "Adds two numbers", Sum.class, sum -> sum.a() + sum.b());
        Model model =
                new ScriptedModel(
                        Turn.calls("add", "{\"a\": 40, \"b\": 2}"), Turn.says("It is 42."));
        Agent clerk =
                Agent.named("clerk", model).instructions("Add with your tool.").tools(add).build();
        try (Trace trace =
                        Trace.open(
                                SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            TaskResult result = clerk.run(runs, "What is 40 + 2?");
            System.out.println(result.text() + " " + result.stop().word()); // It is 42. completed
        }
        ScriptedModel asked = (ScriptedModel) model;
        assertThat(asked.prompts()).hasSize(2);
        assertThat(asked.prompts().getLast().messages().getLast())
                .isEqualTo(new Message.ToolResult("c00010000", "add", "42", false));
    }

    @Test
    void withAKey() {
        assumeTrue(
                System.getenv().containsKey("ANTHROPIC_API_KEY"), "ANTHROPIC_API_KEY is not set");
        Model model =
                Models.open("anthropic:claude-haiku-4-5", System.getenv()); // ANTHROPIC_API_KEY
        TaskResult result = answer(model);
        assertThat(result.isCompleted()).as(result.toString()).isTrue();
        assertThat(result.text()).contains("42");
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "openai"})
    void withTheClientOfAVendor(String vendor) {
        Turn[] turns = {Turn.calls("add", "{\"a\": 40, \"b\": 2}"), Turn.says("It is 42.")};
        try (VendorServer server =
                vendor.equals("openai")
                        ? OpenAiServer.start(turns)
                        : AnthropicServer.start(turns)) {
            Model model =
                    Models.open(
                            vendor + ":test@" + server.address(),
                            Map.of("ANTHROPIC_API_KEY", "a-key", "OPENAI_API_KEY", "another-key"));
            TaskResult result = answer(model);
            assertThat(result.isCompleted()).isTrue();
            assertThat(result.text()).isEqualTo("It is 42.");
            assertThat(server.requests().getLast().toString())
                    .contains("Add with your tool.", "42");
        }
    }

    private TaskResult answer(Model model) {
        record Sum(int a, int b) {}
        Tool add = Tools.of("add", "Adds two numbers", Sum.class, sum -> sum.a() + sum.b());
        Agent clerk =
                Agent.named("clerk", model).instructions("Add with your tool.").tools(add).build();
        try (Trace trace =
                        Trace.open(
                                SqliteStore.open(home.resolve("trace.db")), home.resolve("keys"));
                Runs runs = Runs.in(trace)) {
            return clerk.run(runs, "What is 40 + 2?");
        }
    }
}
