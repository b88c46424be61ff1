package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.agent.support.Script;
import dev.glovebox.agent.support.ScriptedModel;
import dev.glovebox.agent.support.Turn;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the model of an agent is sent when its conversation outgrows the window. */
class WindowedAgentTest {

    private static final String SHORTEN = "You shorten conversations";
    private static final String SUMMARY = "It is about words.";
    private static final int MOST_TURNS = 40;

    @AutoClose private final Engine engine = new Engine();

    private record Page(int number) {}

    private static final Tool READ =
            Tools.of("read", "Reads a page", Page.class, page -> page + " word".repeat(100));

    /** It reads one page after the other until it is sent the summary, and then some more. */
    private static ScriptedModel reading() {
        AtomicInteger page = new AtomicInteger();
        AtomicInteger more = new AtomicInteger();
        return new ScriptedModel(
                Script.answering(asked -> {
                    if (asked.contains(SHORTEN)) {
                        return Turn.says(SUMMARY);
                    }
                    return asked.contains(SUMMARY) && more.incrementAndGet() > 10
                            ? Turn.says("Words.")
                            : Turn.calls(
                                    "read", "{\"number\":%d}".formatted(page.incrementAndGet()));
                }));
    }

    private static Agent.Builder reader(ScriptedModel model) {
        return Agent.named("reader", model)
                .tools(READ)
                .mostTurns(MOST_TURNS)
                .window(WorkingMemory.of(2_000));
    }

    private TaskResult run(Agent agent, List<Message> before, String task) {
        TaskResult result = agent.run(engine.runs(), before, task);
        assertThat(engine.runs().replay(agent.graph(), result.run()).isFaithful()).isTrue();
        return result;
    }

    /** The prompts that do not ask for a summary. */
    private static List<Prompt> own(ScriptedModel model) {
        return model.prompts().stream()
                .filter(prompt -> !prompt.instructions().contains(SHORTEN))
                .toList();
    }

    @Test
    void aTaskThatWouldFillTheWindowLeavesRoomForTheSummary() {
        ScriptedModel model = reading();
        String task = "What is the book about? " + "x".repeat(10_000) + " Be brief.";

        TaskResult result = run(reader(model).build(), List.of(), task);

        assertThat(result.text()).isEqualTo("Words.");
        assertThat(own(model))
                .allSatisfy(prompt ->
                        assertThat(prompt.messages().toString())
                                .contains("What is the book about?", "Be brief."));
        // A summary is paid for when the conversation has grown, and not each time.
        assertThat(model.prompts()).hasSizeLessThan(2 * own(model).size());
    }

    @Test
    void theTaskOfAConversationThatGoesOnIsAlwaysSent() {
        ScriptedModel model = reading();
        Message.User task = new Message.User("What is the book about?");

        TaskResult result =
                run(
                        reader(model).build(),
                        List.of(new Message.User("Hello."), Message.Assistant.of("Hello, Ada.")),
                        task.text());

        assertThat(result.text()).isEqualTo("Words.");
        assertThat(own(model)).allSatisfy(prompt -> assertThat(prompt.messages()).contains(task));
    }

    @Test
    void whoHearsTheWordsOfAnAgentDoesNotHearItsSummaries() {
        StringBuilder words = new StringBuilder();
        Agent agent = reader(reading()).words((name, text) -> words.append(text)).build();

        TaskResult result = run(agent, List.of(), "What is the book about?");

        assertThat(result.text()).isEqualTo("Words.");
        assertThat(words).hasToString("Words.");
    }
}
