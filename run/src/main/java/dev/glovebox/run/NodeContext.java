package dev.glovebox.run;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import dev.glovebox.trace.TraceException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The door as one visit of a node has it: it counts what the node does. */
final class NodeContext implements Context {

    private static final SecureRandom SEEDS = new SecureRandom();
    private static final byte[] NOTHING = Json.bytes(Map.of());

    private final Door door;
    private final Desk desk;
    private final Journal journal;
    private final Clock clock;
    private final Parallel parallel;
    private final String path;
    private final Scope scope;
    private final Thread owner = Thread.currentThread();
    private long ordinal;
    private boolean ended;
    private @Nullable Unwinding unwinding;

    NodeContext(
            Door door,
            Desk desk,
            Journal journal,
            Clock clock,
            Parallel parallel,
            String path,
            Scope scope) {
        this.door = door;
        this.desk = desk;
        this.journal = journal;
        this.clock = clock;
        this.parallel = parallel;
        this.path = path;
        this.scope = scope;
    }

    @Override
    public <A, R> R perform(Effect<A, R> effect) {
        return doing(() -> door.pass(door.submit(path, ++ordinal, effect), scope));
    }

    @Override
    public <R> List<R> performAll(List<? extends Effect<?, R>> effects) {
        return doing(() -> {
            List<Door.Passage<R>> passages = new ArrayList<>();
            effects.forEach(effect -> passages.add(door.submit(path, ++ordinal, effect)));
            return parallel.all(passages.stream().map(passage -> passing(passage)).toList(), scope);
        });
    }

    private <R> Parallel.Work<R> passing(Door.Passage<R> passage) {
        return Parallel.Work.of(passage.id().key(), inner -> door.pass(passage, inner));
    }

    @Override
    public Answer ask(Question question) {
        return doing(() -> desk.ask(path, ++ordinal, question, scope));
    }

    @Override
    public Instant now() {
        return observe("now", Instant.class, clock::instant);
    }

    @Override
    public RandomGenerator random() {
        return new SplittableRandom(observe("random", Long.class, SEEDS::nextLong));
    }

    /** Something that does nothing to the world, so that nobody has to wait for its record. */
    private <R> R observe(String kind, Class<R> type, Supplier<R> source) {
        return doing(() -> {
            scope.check();
            long number = ++ordinal;
            EffectId id = new EffectId(path, number, Tape.key(path, number), kind);
            Journal.Intent intent = journal.intent(id, kind, NOTHING, Event.NONE, false);
            if (intent.recordedAt().isPresent()) {
                journal.known(intent.event());
                Optional<EffectOutcome> recorded = journal.outcome(id);
                if (recorded.isPresent()) {
                    journal.known(recorded.get());
                    BlobRef result = recorded.get().result().orElseThrow();
                    return Json.value(journal.content(result), type);
                }
            }
            journal.beyond(intent.event());
            if (intent.recordedAt().isEmpty()) {
                journal.fresh(intent.event());
            }
            byte[] value = Json.bytes(source.get());
            journal.fresh(
                    new EffectOutcome(
                            id,
                            Status.DONE,
                            Optional.of(journal.keep(value, journal.isSecret())),
                            Duration.ZERO,
                            Event.NONE));
            return Json.value(value, type);
        });
    }

    @Override
    public void note(String text) {
        doing(() -> {
            journal.noted(path, ++ordinal, Details.clean(text));
            return true;
        });
    }

    @Override
    public String run() {
        return journal.run();
    }

    @Override
    public String path() {
        return path;
    }

    private <T> T doing(Supplier<T> what) {
        if (!Thread.currentThread().equals(owner)) {
            throw new IllegalStateException(
                    "A node uses its context from its own thread; see performAll and fan-outs");
        }
        if (ended) {
            throw new IllegalStateException(
                    "The node " + path + " has ended, and its context with it");
        }
        rethrow();
        try {
            return told(what);
        } catch (Unwinding e) {
            unwinding = e;
            throw e;
        } catch (TraceException | NotReplayable e) {
            unwinding = scope.broken(e);
            throw unwinding;
        }
    }

    /** What the program of the node is told, and goes on with. */
    private <T> T told(Supplier<T> what) {
        T result;
        try {
            result = what.get();
        } catch (EffectFailed | OutcomeUnknown e) {
            journal.goesOn(path, ordinal);
            throw e;
        }
        journal.goesOn(path, ordinal);
        return result;
    }

    /** Nobody uses it any more. */
    void end() {
        ended = true;
    }

    /** Goes on leaving the node, whatever its code has caught. */
    void rethrow() {
        if (unwinding != null) {
            throw unwinding;
        }
    }

    /** The node has come to its end: it must have done all that it did when it was recorded. */
    void close() {
        rethrow();
        long recorded = journal.tape().ordinal(path);
        if (recorded > ordinal) {
            journal.different(
                    new Event.Noted(path, ordinal, "end"),
                    new Divergence(
                            path,
                            "what it does",
                            recorded + " effects and notes",
                            String.valueOf(ordinal)));
        }
    }
}
