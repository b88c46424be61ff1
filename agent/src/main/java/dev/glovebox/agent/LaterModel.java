package dev.glovebox.agent;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A model that is opened when it is first asked. */
final class LaterModel implements Model {

    private final ModelSpec spec;
    private final Map<String, String> environment;
    private @Nullable Model opened;

    LaterModel(String spec, Map<String, String> environment) {
        this.spec = ModelSpec.of(spec);
        this.environment = environment;
    }

    @Override
    public String name() {
        return spec.name();
    }

    @Override
    public Optional<Server> server() {
        return Optional.of(spec.server());
    }

    @Override
    public Reply ask(Prompt prompt, Duration within, Consumer<String> words)
            throws InterruptedException {
        return opened().ask(prompt, within, words);
    }

    private synchronized Model opened() {
        Model known = opened;
        if (known == null) {
            known = Models.open(spec, environment);
            opened = known;
        }
        return known;
    }
}
