package dev.glovebox.run;

import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** What a node of a run has of which nothing is kept. */
final class UntracedContext implements Context {

    private final UntracedDoor door;
    private final Clock clock;
    private final Parallel parallel;
    private final String path;
    private final Scope scope;
    private long ordinal;

    UntracedContext(UntracedDoor door, Clock clock, Parallel parallel, String path, Scope scope) {
        this.door = door;
        this.clock = clock;
        this.parallel = parallel;
        this.path = path;
        this.scope = scope;
    }

    @Override
    public <A, R> R perform(Effect<A, R> effect) {
        return door.pass(path, ++ordinal, effect, scope);
    }

    @Override
    public <R> List<R> performAll(List<? extends Effect<?, R>> effects) {
        return parallel.all(
                effects.stream().map(effect -> this.<R>passing(effect)).toList(), scope);
    }

    private <R> Parallel.Work<R> passing(Effect<?, R> effect) {
        long number = ++ordinal;
        return new Parallel.Work<>(
                Tape.key(path, number), inner -> door.pass(path, number, effect, inner));
    }

    /** Nobody could ever answer. */
    @Override
    public Answer ask(Question question) {
        throw new Stop(new StopReason.NeedsInput(question.text()));
    }

    @Override
    public Instant now() {
        return clock.instant();
    }

    @Override
    public RandomGenerator random() {
        return new SplittableRandom();
    }

    @Override
    public void note(String text) {
        // There is nowhere to write it.
    }

    @Override
    public String run() {
        return door.run();
    }

    @Override
    public String path() {
        return path;
    }
}
