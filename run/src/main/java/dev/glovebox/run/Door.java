package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.spi.Request;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import dev.glovebox.trace.TraceException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What each effect goes through: a budget is reserved, interceptors are asked, the intent is
 * recorded, it is performed, its outcome is recorded. What the tape has an outcome for is not
 * performed.
 */
final class Door {

    private static final Logger LOG = LoggerFactory.getLogger(Door.class);

    private final Journal journal;
    private final Ledger ledger;
    private final List<Interceptor> interceptors;
    private final LoopWatch loops = new LoopWatch();
    private final Lanes lanes;
    private final Desk desk;
    private final Results results;
    private final Attempts attempts;
    private final Runnable successor;

    Door(
            Journal journal,
            Ledger ledger,
            List<Interceptor> interceptors,
            Desk desk,
            Results results,
            Attempts attempts,
            Runnable successor) {
        this.journal = journal;
        this.ledger = ledger;
        this.interceptors = interceptors;
        this.lanes = new Lanes(journal);
        this.desk = desk;
        this.results = results;
        this.attempts = attempts;
        this.successor = successor;
    }

    /** An effect on its way, with the number it got when it was submitted. */
    record Passage<R>(EffectId id, Effect<?, R> effect, Parts arguments, Journal.Intent intent) {

        boolean isRecorded() {
            return intent.recordedAt().isPresent();
        }

        Cost most() {
            return effect.atMost();
        }
    }

    /** Submits an effect: in the order of the node, so that it is the same one each time. */
    <R> Passage<R> submit(String path, long ordinal, Effect<?, R> effect) {
        EffectId id = new EffectId(path, ordinal, Tape.key(path, ordinal), effect.kind());
        Parts arguments = Parts.of(effect.arguments(), effect.apart());
        ObjectNode details = Details.copy(effect.details());
        if (!effect.agent().isEmpty()) {
            details.put(Details.AGENT, Details.clean(effect.agent()));
        }
        String name = Details.clean(effect.name());
        Journal.Intent intent;
        if (effect.growing().isEmpty()) {
            arguments.keep(details, part -> journal.part(id, part, effect.isPrivate()));
            byte[] json = Json.sorted(arguments.rest());
            intent = journal.intent(id, name, json, details, effect.isPrivate());
        } else {
            intent = growing(id, name, effect, details);
        }
        return new Passage<>(id, effect, arguments, intent);
    }

    private Journal.Intent growing(
            EffectId id, String name, Effect<?, ?> effect, ObjectNode details) {
        boolean hidden = effect.isPrivate();
        Growing growing = Growing.of(effect.arguments(), effect.growing());
        ObjectNode lists =
                details.get(Details.LISTS) instanceof ObjectNode known
                        ? known
                        : details.putObject(Details.LISTS);
        growing.lists()
                .forEach((member, list) -> lists.set(member, keepList(id, member, list, hidden)));
        String lane = Lanes.lane(id.path(), id.kind(), "");
        Lanes.Rest rest = lanes.rest(lane, growing);
        Journal.Intent intent = journal.intent(id, name, rest.json(), rest.kept(), details, hidden);
        lanes.kept(lane, rest, intent.event().arguments());
        return intent;
    }

    private JsonNode keepList(EffectId id, String member, List<?> all, boolean hidden) {
        Optional<BlobRef> recorded = journal.list(id.key(), member);
        String lane = Lanes.lane(id.path(), id.kind(), member);
        return lanes.keep(lane, all, recorded, hidden || journal.isSecret()).json();
    }

    /** Takes note of a node that is not run again. */
    void fold(String path) {
        for (Tape.Taped taped : journal.tape().within(path)) {
            if (taped.event() instanceof EffectIntent intent) {
                loops.fold(intent);
                intent.details()
                        .path(Details.LISTS)
                        .properties()
                        .forEach(list ->
                                lanes.fold(
                                        Lanes.lane(
                                                intent.id().path(),
                                                intent.id().kind(),
                                                list.getKey()),
                                        BlobRef.of(list.getValue())));
            }
        }
    }

    /** Takes an effect through; what came of it. */
    <R> R pass(Passage<R> passage, Scope scope) {
        scope.check();
        desk.known(passage.id());
        if (passage.isRecorded()) {
            journal.known(passage.intent().event());
            Optional<EffectOutcome> outcome = journal.outcome(passage.id());
            if (outcome.isPresent()) {
                loops.fold(passage.intent().event());
                journal.known(outcome.get());
                return results.of(passage, outcome.get());
            }
            journal.beyond(passage.intent().event());
            return interrupted(passage, scope);
        }
        journal.beyond(passage.intent().event());
        Cost reserved = reserve(passage, scope);
        before(
                reserved,
                () -> {
                    permit(passage, scope);
                    begin(passage, reserved);
                });
        return perform(passage, Cost.NONE, reserved, scope);
    }

    /** Does what may keep an effect from being performed: then nothing is set aside for it. */
    private void before(Cost reserved, Runnable what) {
        try {
            what.run();
        } catch (Throwable e) {
            ledger.settle(reserved, Cost.NONE);
            throw e;
        }
    }

    /**
     * Records that an effect is about to be performed, also if that is on record already.
     *
     * @param atMost what it will have cost if nobody hears of it any more
     */
    private void begin(Passage<?> passage, Cost atMost) {
        journal.freshDurable(passage.intent().event().observed(Details.ofAtMost(atMost)));
    }

    private Cost reserve(Passage<?> passage, Scope scope) {
        try {
            return ledger.reserve(passage::most, scope);
        } catch (Stop stop) {
            throw refused(passage, stop.reason());
        }
    }

    private void permit(Passage<?> passage, Scope scope) {
        Effect<?, ?> effect = passage.effect();
        loops.next(passage)
                .ifPresent(loop -> {
                    throw refused(passage, loop);
                });
        if (interceptors.isEmpty()) {
            return;
        }
        Request request =
                new Request(
                        journal.run(),
                        passage.id().path(),
                        effect.agent(),
                        effect.kind(),
                        effect.name(),
                        passage.arguments().whole());
        int who = 0;
        for (Interceptor interceptor : interceptors) {
            who++;
            switch (decision(interceptor, request)) {
                case Decision.Allow allow -> {}
                case Decision.Refuse refuse -> {
                    ObjectNode told = Details.empty();
                    Details.putProblem(told, "refused", refuse.why());
                    notDone(passage, told);
                    throw Results.failed(passage, "refused", Details.clean(refuse.why()));
                }
                case Decision.Approve approve ->
                        desk.refusal(
                                        passage.id(),
                                        who,
                                        approve.question(),
                                        effect.isPrivate(),
                                        scope)
                                .ifPresent(denied -> {
                                    throw refused(passage, denied);
                                });
                case Decision.StopRun stop -> throw refused(passage, stop.reason());
            }
        }
    }

    /** Who cannot decide has not allowed it. */
    static Decision decision(Interceptor interceptor, Request request) {
        try {
            return Objects.requireNonNull(interceptor.before(request));
        } catch (RuntimeException e) {
            return new Decision.Refuse("An interceptor failed: " + e);
        }
    }

    /** Records that somebody wanted an effect and did not get it. */
    private Stop refused(Passage<?> passage, StopReason reason) {
        ObjectNode told = Details.empty();
        Details.putStop(told, reason);
        notDone(passage, told);
        return new Stop(reason, passage.effect().isPrivate());
    }

    private void notDone(Passage<?> passage, ObjectNode told) {
        if (passage.isRecorded()) {
            unknown(passage, told);
        } else {
            journal.fresh(passage.intent().event());
            journal.fresh(without(passage, Status.FAILED, Duration.ZERO, Details.empty(), told));
        }
    }

    /** Records that nobody knows what became of an effect. */
    private void unknown(Passage<?> passage, ObjectNode told) {
        ObjectNode details = Details.empty();
        Details.putCost(details, lost(passage));
        journal.fresh(without(passage, Status.UNKNOWN, Duration.ZERO, details, told));
    }

    private EffectOutcome without(
            Passage<?> passage, Status status, Duration took, ObjectNode details, ObjectNode told) {
        boolean hidden = passage.effect().isPrivate();
        return journal.without(passage.id(), status, took, details, told, hidden);
    }

    /** What has no outcome has cost all that it may. */
    private Cost lost(Passage<?> passage) {
        return journal.tape()
                .open(passage.id().key())
                .orElseGet(() -> {
                    // Nothing was limited, so that nobody has asked what it may cost.
                    ledger.settle(Cost.NONE, passage.most());
                    return passage.most();
                });
    }

    /** An effect that was begun, and nobody knows what became of it. */
    private <R> R interrupted(Passage<R> passage, Scope scope) {
        boolean repeat =
                switch (passage.effect().ifUnknown()) {
                    case REPEAT -> true;
                    case ASK -> desk.mayRepeat(passage, scope);
                    case TELL -> false;
                };
        if (!repeat) {
            unknown(passage, Details.empty());
            throw results.unknown(passage);
        }
        Cost reserved = reserve(passage, scope);
        Cost lost = lost(passage);
        before(reserved, () -> begin(passage, lost.plus(passage.most())));
        return perform(passage, lost, reserved, scope);
    }

    private <R> R perform(Passage<R> passage, Cost lost, Cost reserved, Scope scope) {
        Effect<?, R> effect = passage.effect();
        long begin = System.nanoTime();
        ObjectNode details = Details.empty();
        Bill bill = new Bill(ledger, lost, reserved, passage::most);
        // What nobody knows the cost of has cost all that it may.
        Optional<Cost> used = Optional.empty();
        try {
            Done<R> done =
                    attempts.make(
                            effect,
                            () -> journal.run() + "/" + passage.id().key(),
                            () -> details,
                            attempt -> again(passage, bill, attempt),
                            why -> leave(passage, why, bill, begin, scope));
            used = Optional.of(done.used());
            Details.putCost(details, bill.whole(done.used()));
            again(effect, scope);
            R result = done(passage, done, since(begin), details);
            // It may have ended only because the run does.
            scope.check();
            return result;
        } catch (Failure e) {
            if (e.isPassing()) {
                scope.checkSuspended();
            }
            again(effect, scope);
            used = e.used();
            Details.putCost(details, bill.whole(used.orElseGet(bill::unknown)));
            ObjectNode all = Details.copy(e.details());
            all.setAll(details);
            throw failed(passage, since(begin), all, e.code(), e.getMessage());
        } catch (Hands.LeftBehind e) {
            // Whoever resumes the run decides what becomes of it.
            scope.checkSuspended();
            Details.putCost(details, bill.whole(bill.unknown()));
            EffectOutcome outcome = leftBehind(passage, e, since(begin), details);
            journal.fresh(outcome);
            scope.check();
            return results.of(passage, outcome);
        } finally {
            bill.settle(used.orElseGet(bill::unknown));
        }
    }

    /** Whether the budget has room for another attempt, which is on record before it is made. */
    private boolean again(Passage<?> passage, Bill bill, Cost attempt) {
        boolean paid = bill.again(attempt);
        if (paid && ledger.isBounded()) {
            begin(passage, bill.whole(bill.unknown()));
        }
        return paid;
    }

    private EffectOutcome leftBehind(
            Passage<?> passage, Hands.LeftBehind why, Duration took, ObjectNode details) {
        ObjectNode told = Details.empty();
        String message = passage.effect().name() + " " + why.getMessage();
        Details.putProblem(told, why.isLate() ? "time-out" : "cancelled", message);
        boolean again = passage.effect().ifUnknown() == Effect.IfUnknown.REPEAT;
        return without(passage, again ? Status.FAILED : Status.UNKNOWN, took, details, told);
    }

    /** The thread did not come back from an effect: somebody else goes on with the run. */
    private void leave(
            Passage<?> passage, Hands.LeftBehind why, Bill bill, long begin, Scope scope) {
        try {
            if (!scope.isSuspended()) {
                ObjectNode details = Details.empty();
                Details.putCost(details, bill.whole(bill.unknown()));
                journal.freshDurable(leftBehind(passage, why, since(begin), details));
            }
        } catch (TraceException e) {
            // Whoever goes on finds an effect without an outcome, or cannot go on and says why.
            LOG.warn("Could not record that an effect was left behind: {}", e.getMessage());
        } finally {
            successor.run();
        }
    }

    /**
     * What can be repeated, and was interrupted only because this process ends, has no outcome:
     * whoever resumes the run does it again.
     */
    private static void again(Effect<?, ?> effect, Scope scope) {
        if (effect.ifUnknown() == Effect.IfUnknown.REPEAT) {
            scope.checkSuspended();
        }
    }

    private <R> R done(Passage<R> passage, Done<R> done, Duration took, ObjectNode details) {
        Effect<?, R> effect = passage.effect();
        Parts result;
        Json.Written<R> whole;
        ObjectNode all;
        try {
            result = Parts.of(done.result(), effect.apart());
            whole = result.written(done.result(), effect.resultType());
            all = Details.copy(done.details().get());
        } catch (RuntimeException e) {
            String message = effect.name() + " was done, but its result is lost. " + e.getMessage();
            throw failed(passage, took, details, "error", message);
        }
        all.setAll(details);
        boolean hidden = effect.isPrivate() || journal.isSecret();
        result.keep(all, part -> journal.keep(part.content(), part.media(), hidden));
        Optional<BlobRef> kept = Optional.of(journal.keep(whole.json(), hidden));
        journal.fresh(new EffectOutcome(passage.id(), Status.DONE, kept, took, all));
        return whole.value();
    }

    private EffectFailed failed(
            Passage<?> passage, Duration took, ObjectNode details, String code, String message) {
        ObjectNode told = Details.empty();
        Details.putProblem(told, code, message);
        journal.fresh(without(passage, Status.FAILED, took, details, told));
        // As whoever replays the run will be told.
        return Results.failed(passage, Details.clean(code), Details.clean(message));
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
