package dev.glovebox.run;

import dev.glovebox.trace.Event.EffectOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Performs recorded effects of some kinds again, and compares; nodes get what was recorded. */
final class Repetition extends Results {

    private static final Duration MOST = Duration.ofHours(1);

    private final Set<String> kinds;
    private final String run;
    private final List<Replay.Repeated> repeated = new CopyOnWriteArrayList<>();

    Repetition(Journal journal, Set<String> kinds) {
        super(journal);
        this.run = journal.run();
        this.kinds = Set.copyOf(kinds);
    }

    List<Replay.Repeated> repeated() {
        return List.copyOf(repeated);
    }

    @Override
    <R> R of(Door.Passage<R> passage, EffectOutcome outcome) {
        R recorded = super.of(passage, outcome);
        if (kinds.contains(passage.effect().kind())) {
            repeated.add(again(passage, recorded));
        }
        return recorded;
    }

    private <R> Replay.Repeated again(Door.Passage<R> passage, R recorded) {
        Effect<?, R> effect = passage.effect();
        Duration most = effect.within().orElse(MOST);
        // Not the key of the recorded one: whoever honours that would do nothing.
        Call call = new Call(run + "/" + passage.id().key() + "?replay", most);
        Optional<String> difference = Optional.empty();
        Optional<String> problem = Optional.empty();
        try {
            R result = Hands.perform(effect, call, Optional.of(most)).result();
            R read = Parts.of(result, effect.apart()).value(effect.resultType());
            difference = effect.difference(recorded, read);
        } catch (Hands.LeftBehind | RuntimeException e) {
            problem = Optional.of(String.valueOf(e.getMessage()));
        }
        return new Replay.Repeated(
                passage.id().key(), effect.kind(), effect.name(), difference, problem);
    }
}
