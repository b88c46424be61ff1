package dev.glovebox.bench;

import dev.glovebox.agent.Agent;
import dev.glovebox.agent.Message;
import dev.glovebox.agent.Model;
import dev.glovebox.agent.Prompt;
import dev.glovebox.agent.Reply;
import dev.glovebox.agent.ToolCall;
import dev.glovebox.agent.Tools;
import dev.glovebox.agent.Usage;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** An agent of ours that adds. */
final class GloveboxAgent {

    private final Sums sums = new Sums();
    private final Agent agent =
            Agent.named("adder", new Instant())
                    .instructions(Sums.INSTRUCTIONS)
                    .tools(Tools.of(sums))
                    .mostTurns(Sums.ROUNDS + 1)
                    .build();

    String run(Runs runs, RunOptions options) {
        return sums.checked(agent.run(runs, Sums.TASK, options).text());
    }

    /** The same; something happens before each effect. */
    String run(Runs runs, RunOptions options, Runnable beforeEffect) {
        sums.before(beforeEffect);
        return run(runs, options);
    }

    /** Answers at once. */
    private final class Instant implements Model {

        @Override
        public String name() {
            return "bench:instant";
        }

        @Override
        public Reply ask(Prompt prompt, Duration within, Consumer<String> words) {
            sums.before();
            // Behind the task there are a call and a result for each round.
            int round = (prompt.messages().size() - 1) / 2;
            Message.Assistant says =
                    round < Sums.ROUNDS
                            ? new Message.Assistant("", List.of(call(round)))
                            : Message.Assistant.of(Sums.ANSWER);
            return new Reply(says, Usage.NONE, false);
        }

        private static ToolCall call(int round) {
            return new ToolCall("call-" + round, Sums.TOOL, Sums.arguments(round));
        }
    }
}
