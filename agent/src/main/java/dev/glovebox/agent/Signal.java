package dev.glovebox.agent;

import dev.glovebox.run.Call;
import dev.glovebox.run.Context;
import dev.glovebox.run.Done;
import dev.glovebox.run.Effect;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends conversations from outside, between two of their steps.
 *
 * <p>Once given, it ends all of whoever has it, later ones with their first answer.
 */
public final class Signal implements Termination {

    private final AtomicBoolean given = new AtomicBoolean();

    Signal() {}

    public void give() {
        given.set(true);
    }

    @Override
    public Optional<String> reached(Conversation conversation, Context context) {
        return context.perform(new Look()) ? Optional.of("a signal was given") : Optional.empty();
    }

    /** Whether it was given comes from outside, so it is recorded. */
    private final class Look implements Effect<Map<String, String>, Boolean> {

        @Override
        public String kind() {
            return "signal";
        }

        @Override
        public String name() {
            return "end";
        }

        @Override
        public Map<String, String> arguments() {
            return Map.of();
        }

        @Override
        public Class<Boolean> resultType() {
            return Boolean.class;
        }

        @Override
        public Done<Boolean> perform(Call call) {
            return Done.of(given.get());
        }

        @Override
        public IfUnknown ifUnknown() {
            return IfUnknown.REPEAT;
        }

        @Override
        public boolean countsAsLoop() {
            return false;
        }
    }
}
