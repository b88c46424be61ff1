package dev.glovebox.run;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What a node of a run has of which nothing is kept, but for what came of its effects while it goes
 * on: where its thread is left behind, another one runs the node again, and is told the same.
 */
final class UntracedContext implements Context {

    private final UntracedDoor door;
    private final Clock clock;
    private final Parallel parallel;
    private final Spot spot;
    private final Scope scope;
    private final List<Came> came;
    private int told;
    private long ordinal;

    /**
     * A context for a visit.
     *
     * @param came what came of its first effects, when the node was run before
     */
    UntracedContext(
            UntracedDoor door,
            Clock clock,
            Parallel parallel,
            Spot spot,
            Scope scope,
            List<Came> came) {
        this.door = door;
        this.clock = clock;
        this.parallel = parallel;
        this.spot = spot;
        this.scope = scope;
        this.came = came;
    }

    /** What came of something: a result, or an exception. */
    record Came(@Nullable Object result, @Nullable RuntimeException problem) {}

    @Override
    public <A, R> R perform(Effect<A, R> effect) {
        long number = ++ordinal;
        return once(() ->
                door.pass(spot, number, effect, scope, problem -> with(new Came(null, problem))));
    }

    @Override
    public <R> List<R> performAll(List<? extends Effect<?, R>> effects) {
        List<Parallel.Work<R>> all =
                effects.stream().map(effect -> this.<R>passing(effect)).toList();
        return once(() -> parallel.all(all, scope));
    }

    private <R> Parallel.Work<R> passing(Effect<?, R> effect) {
        long number = ++ordinal;
        return Parallel.Work.of(
                Tape.key(spot.path(), number),
                inner ->
                        door.pass(
                                spot,
                                number,
                                effect,
                                inner,
                                problem -> with(new Came(null, problem))));
    }

    /** What has come so far, and one more. */
    private UntracedDoor.Visit with(Came last) {
        List<Came> all = new ArrayList<>(came);
        all.add(last);
        return new UntracedDoor.Visit(spot, all);
    }

    @SuppressWarnings("unchecked") // The same node asks for the same.
    private <T> T once(Supplier<T> what) {
        if (told < came.size()) {
            Came known = came.get(told++);
            if (known.problem() != null) {
                throw known.problem();
            }
            return (T) Objects.requireNonNull(known.result());
        }
        try {
            T result = what.get();
            came.add(new Came(result, null));
            told++;
            return result;
        } catch (EffectFailed | OutcomeUnknown e) {
            came.add(new Came(null, e));
            told++;
            throw e;
        }
    }

    /** Nobody could ever answer. */
    @Override
    public Answer ask(Question question) {
        throw new Stop(new StopReason.NeedsInput(question.text()));
    }

    @Override
    public Instant now() {
        return once(clock::instant);
    }

    @Override
    public RandomGenerator random() {
        return new SplittableRandom(once(() -> new SplittableRandom().nextLong()));
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
        return spot.path();
    }
}
