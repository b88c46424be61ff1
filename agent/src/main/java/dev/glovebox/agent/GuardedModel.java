package dev.glovebox.agent;

import dev.glovebox.agent.Guardrail.Point;
import dev.glovebox.run.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** A model of whose words guardrails also see those that it says when it fails. */
record GuardedModel(Model model, Guardrails guardrails, String agent) implements Model {

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public Optional<Server> server() {
        return model.server();
    }

    @Override
    public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
            throws InterruptedException {
        try {
            return model.ask(prompt, within, words);
        } catch (RuntimeException | Error e) {
            if (!(e instanceof Failure) && Thread.currentThread().isInterrupted()) {
                throw new InterruptedException("The model was interrupted");
            }
            throw new Inspection(guardrails, agent).failure(Point.REPLY, "", e);
        }
    }
}
