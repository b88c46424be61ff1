package dev.glovebox.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.run.Runs;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Models that think before they say a word, which counts as if they said it. */
class ThinkingModelsTest {

    private static final int THOUGHT = 2_000;

    private record Nothing() {}

    @AutoClose private final Engine engine = new Engine();
    private final Runs runs = engine.runs();

    private record Thinker(Function<Prompt, Message.Assistant> says) implements Model {

        @Override
        public String name() {
            return "thinking:model";
        }

        @Override
        public Reply ask(Prompt prompt, Duration within, Consumer<String> words) {
            return prompt.mostTokens() > THOUGHT
                    ? new Reply(says.apply(prompt), Usage.of(10, THOUGHT + 10), false)
                    : new Reply(Message.Assistant.of(""), Usage.of(10, prompt.mostTokens()), true);
        }
    }

    private static Thinker saying(Function<String, String> says) {
        return new Thinker(
                prompt -> Message.Assistant.of(says.apply(prompt.messages().toString())));
    }

    @Test
    void oneOfThemCanLeadATeam() {
        Thinker leader = saying(said -> said.contains("It is bad.") ? "DONE" : "critic");
        Agent poet = Agent.named("poet", saying(said -> "A poem.")).build();
        Agent critic = Agent.named("critic", saying(said -> "It is bad.")).build();

        TeamResult result =
                Team.selector("led", Route.of(leader), Termination.messages(9), poet, critic)
                        .run(runs, "Judge.");

        assertThat(result.discussion().said())
                .extracting(Discussion.Said::agent)
                .containsExactly("critic");
        assertThat(result.discussion().ended()).contains("the task is done");
    }

    @Test
    void oneOfThemCanSummariseAConversation() {
        Tool read = Tools.of("read", "Reads", Nothing.class, none -> "word ".repeat(400));
        Thinker reader =
                new Thinker(prompt -> {
                    String said = prompt.toString();
                    if (prompt.instructions().startsWith("You shorten conversations")) {
                        return Message.Assistant.of("It is about words.");
                    }
                    return said.contains("It is about words.")
                            ? Message.Assistant.of("Words.")
                            : new Message.Assistant("", List.of(new ToolCall("", "read", "{}")));
                });
        Agent agent =
                Agent.named("reader", reader)
                        .tools(read)
                        .window(WorkingMemory.of(2_000))
                        .mostTurns(10)
                        .build();

        TaskResult result = agent.run(runs, "What is it about?");

        assertThat(result.text()).isEqualTo("Words.");
        assertThat(result.isCompleted()).isTrue();
    }
}
