package dev.glovebox.agent;

import static dev.glovebox.agent.Vendors.model;
import static dev.glovebox.agent.Vendors.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.glovebox.agent.support.AnthropicServer;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import dev.glovebox.agent.support.VendorServer;
import dev.glovebox.run.OpenQuestion;
import dev.glovebox.run.Run;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.run.StopReason;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Conversations that go on in another run. */
class GoingOnTest {

    private record Sum(int a, int b) {}

    private record Invoice(String customer, int cents) {}

    private static final Tool ADD = Tools.of("add", "Adds", Sum.class, sum -> sum.a() + sum.b());

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    @Test
    void aConversationWhoseBeginningIsLeftOutCanGoOn() {
        Turn add = Turn.calls("add", "{\"a\":1,\"b\":1}");
        Turn two = Turn.says("Two.");
        try (AnthropicServer server = AnthropicServer.start(add, two, add, two, add, two)) {
            Agent agent = Agent.named("clerk", model("anthropic", server)).tools(ADD).build();
            List<Message> said = agent.run(runs, "Add.").messages();
            said = agent.run(runs, said, "Again.").messages();

            TaskResult last = agent.run(runs, said.subList(4, 8), "And again.");

            assertThat(server.problems()).isEmpty();
            assertThat(last.isCompleted()).isTrue();
            assertThat(last.messages())
                    .filteredOn(Message.ToolResult.class::isInstance)
                    .extracting(message -> ((Message.ToolResult) message).call())
                    .containsExactly("c00010000", "c00050000");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "google", "ollama", "openai"})
    void aConversationThatEndedWithAToolCanGoOn(String vendor) {
        Turn add = Turn.calls("add", "{\"a\":1,\"b\":1}");
        try (VendorServer server = server(vendor, add, Turn.says("Two."))) {
            Agent agent = Agent.named("clerk", model(vendor, server)).tools(ADD).build();
            Agent hasty =
                    Agent.named("hasty", model(vendor, server))
                            .tools(ADD)
                            .until(Termination.toolCalled("add"))
                            .build();
            List<Message> said = hasty.run(runs, "Add.").messages();
            assertThat(said.getLast()).isInstanceOf(Message.ToolResult.class);

            TaskResult next = agent.run(runs, said, "What is it?");

            assertThat(server.problems()).isEmpty();
            assertThat(next.text()).isEqualTo("Two.");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"anthropic", "google", "ollama", "openai"})
    void aConversationCanGoOnFromEachOfItsMessages(String vendor) {
        Turn add = Turn.calls("add", "{\"a\":1,\"b\":1}");
        Turn two = Turn.says("Two.");
        try (VendorServer server = server(vendor, add, add, two, two, two, two, two, two)) {
            Agent agent = Agent.named("clerk", model(vendor, server)).tools(ADD).build();
            List<Message> said = agent.run(runs, "Add.").messages();
            assertThat(said).hasSize(6);
            for (int from = 1; from < said.size(); from++) {
                List<Message> last = said.subList(from, said.size());
                assertThat(agent.run(runs, last, "Again.").text()).isEqualTo("Two.");
            }
            assertThat(server.problems()).isEmpty();
        }
    }

    private static List<Message> results(ScriptedModel model) {
        return model.prompts().getLast().messages().stream()
                .filter(Message.ToolResult.class::isInstance)
                .toList();
    }

    @Test
    void aResultWhoseCallIsLeftOutIsLeftOutAsWell() {
        Turn add = Turn.calls("add", "{\"a\":1,\"b\":1}");
        ScriptedModel model = new ScriptedModel(add, Turn.says("Two."), Turn.says("Yes."));
        Agent agent = Agent.named("clerk", model).tools(ADD).build();
        List<Message> said = agent.run(runs, "Add.").messages();

        var _ = agent.run(runs, said.subList(2, 4), "Sure?");

        // Vendors refuse a result without a call.
        assertThat(model.prompts().getLast().messages())
                .containsExactly(Message.Assistant.of("Two."), new Message.User("Sure?"));
    }

    /** One was called, the other one was not. */
    @Test
    void ofCallsAtOnceWhoseRunWasStoppedTheResultsThatCameAreKept() {
        AtomicInteger bought = new AtomicInteger();
        Tool buy = Tools.of("buy", "Buys", Sum.class, sum -> "bought " + bought.incrementAndGet());
        ScriptedModel model =
                new ScriptedModel(
                        Turn.calls(
                                new ToolCall("1", "buy", "{\"a\":1,\"b\":1}"),
                                new ToolCall("2", "add", "{\"a\":1,\"b\":1}")),
                        Turn.says("I see."));
        Agent agent = Agent.named("clerk", model).tools(ADD, buy).build();
        ToolRules rules = ToolRules.denyAll().rule("buy").allow().rule("add").ask();
        try (Runs asking = Runs.in(engine.trace(), rules)) {
            Run<Conversation> run = agent.start(asking, "Go.", RunOptions.titled("x"));
            var _ = run.await();
            OpenQuestion question = asking.questions(run.name()).getFirst();
            asking.answer(run.name(), question.key(), "no", "anna@example.com");
            TaskResult first = Agent.result(run);
            assertThat(first.stop()).isInstanceOf(StopReason.ApprovalDenied.class);
            assertThat(bought).hasValue(1);

            var _ = agent.run(asking, first.messages(), "And now?");
        }
        assertThat(results(model))
                .extracting(Message::text)
                .satisfiesExactly(
                        came -> assertThat(came).isEqualTo("bought 1"),
                        missing -> assertThat(missing).contains("nobody knows"));
    }

    @Test
    void whatWasAnsweredBeforeIsNoAnswerOfARunThatGoesOnAndFails() {
        ScriptedModel model =
                new ScriptedModel(
                        Turn.says("{\"customer\":\"Ada\",\"cents\":1200}"),
                        Turn.fails(401, "no more"));
        Agent agent = Agent.named("clerk", model).output(Invoice.class).build();
        TaskResult first = agent.run(runs, "Bill Ada.");
        assertThat(first.output(Invoice.class)).isEqualTo(new Invoice("Ada", 1200));

        TaskResult next = agent.run(runs, first.messages(), "Bill Bob.");

        assertThat(next.isCompleted()).isFalse();
        assertThat(next.text()).isEmpty();
        assertThatThrownBy(() -> next.output(Invoice.class))
                .isInstanceOf(IllegalStateException.class);
    }
}
