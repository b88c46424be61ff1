package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.spi.Request;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import dev.glovebox.trace.Event.EffectOutcome;
import dev.glovebox.trace.Event.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * What each effect goes through: a budget is reserved, interceptors are asked, the intent is
 * recorded, it is performed, its outcome is recorded. What the tape has an outcome for is not
 * performed.
 */
final class Door {

    private final Journal journal;
    private final Ledger ledger;
    private final List<Interceptor> interceptors;
    private final Loops loops;
    private final Lanes lanes;
    private final Desk desk;
    private final Results results;
    private final Instant deadline;

    Door(
            Journal journal,
            Ledger ledger,
            List<Interceptor> interceptors,
            Loops loops,
            Desk desk,
            Results results,
            Instant deadline) {
        this.journal = journal;
        this.ledger = ledger;
        this.interceptors = interceptors;
        this.loops = loops;
        this.lanes = new Lanes(journal);
        this.desk = desk;
        this.results = results;
        this.deadline = deadline;
    }

    /** An effect on its way, with the number it got when it was submitted. */
    record Passage<R>(EffectId id, Effect<?, R> effect, JsonNode arguments, Journal.Intent intent) {

        boolean isRecorded() {
            return intent.recordedAt().isPresent();
        }
    }

    /** Submits an effect: in the order of the node, so that it is the same one each time. */
    <R> Passage<R> submit(String path, long ordinal, Effect<?, R> effect) {
        EffectId id = new EffectId(path, ordinal, Tape.key(path, ordinal), effect.kind());
        JsonNode arguments = Json.tree(effect.arguments());
        ObjectNode details = Details.copy(effect.details());
        if (!effect.agent().isEmpty()) {
            details.put(Details.AGENT, effect.agent());
        }
        JsonNode rest = effect.growing().isEmpty() ? arguments : arguments.deepCopy();
        for (String member : effect.growing().stream().sorted().toList()) {
            if (rest instanceof ObjectNode object
                    && object.remove(member) instanceof ArrayNode all) {
                details.withObject("/" + Details.LISTS)
                        .set(member, keepList(id, member, all, effect.isPrivate()));
            }
        }
        return new Passage<>(
                id,
                effect,
                arguments,
                journal.intent(id, effect.name(), Json.bytes(rest), details, effect.isPrivate()));
    }

    private JsonNode keepList(EffectId id, String member, ArrayNode all, boolean hidden) {
        Optional<BlobRef> recorded = journal.list(id.key(), member);
        List<byte[]> contents = all.valueStream().map(Json::bytes).toList();
        String lane = Lanes.lane(id.path(), id.kind(), member);
        return lanes.keep(lane, contents, recorded, hidden || journal.isSecret()).json();
    }

    /** Takes note of a node that is not run again. */
    void fold(String path) {
        for (Tape.Taped taped : journal.tape().within(path)) {
            if (taped.event() instanceof EffectIntent intent) {
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
                journal.known(outcome.get());
                return results.of(passage, outcome.get());
            }
            journal.beyond(passage.intent().event());
            return interrupted(passage, scope);
        }
        journal.beyond(passage.intent().event());
        Cost most = passage.effect().atMost();
        try {
            ledger.reserve(most);
        } catch (Stop stop) {
            throw refused(passage, stop);
        }
        try {
            permit(passage, scope);
        } catch (Throwable e) {
            ledger.settle(most, Cost.NONE);
            throw e;
        }
        journal.freshDurable(passage.intent().event());
        return perform(passage, scope, most);
    }

    private void permit(Passage<?> passage, Scope scope) {
        Effect<?, ?> effect = passage.effect();
        if (effect.mayLoop()) {
            looped(passage)
                    .ifPresent(loop -> {
                        throw refused(passage, new Stop(loop));
                    });
        }
        Request request =
                new Request(
                        journal.run(),
                        passage.id().path(),
                        effect.agent(),
                        effect.kind(),
                        effect.name(),
                        passage.arguments());
        for (Interceptor interceptor : interceptors) {
            switch (interceptor.before(request)) {
                case Decision.Allow allow -> {}
                case Decision.Refuse refuse -> {
                    ObjectNode details = Details.empty();
                    Details.putProblem(details, "refused", refuse.why());
                    notDone(passage, details);
                    throw Results.failed(passage, "refused", refuse.why());
                }
                case Decision.Approve approve -> {
                    Answer answer = desk.approval(passage.id(), approve.question(), scope);
                    if (!answer.isYes()) {
                        StopReason denied =
                                new StopReason.ApprovalDenied(
                                        approve.question().text(), answer.by());
                        throw refused(passage, new Stop(denied));
                    }
                }
                case Decision.StopRun stop -> throw refused(passage, new Stop(stop.reason()));
            }
        }
    }

    private Optional<StopReason> looped(Passage<?> passage) {
        Effect<?, ?> effect = passage.effect();
        String path = passage.id().path();
        String lane = path.substring(0, path.lastIndexOf('/') + 1) + effect.agent();
        String what = effect.kind() + " " + effect.name();
        byte[] arguments = Json.sorted(passage.arguments());
        return loops.next(lane, what + " " + Blob.of(arguments).digest())
                .map(pattern ->
                        new StopReason.LoopDetected(
                                pattern == 1
                                        ? what + " with the same arguments again and again"
                                        : pattern
                                                + " effects in turn again and again, the last "
                                                + what));
    }

    /** Records that somebody wanted an effect and did not get it. */
    private Stop refused(Passage<?> passage, Stop stop) {
        ObjectNode details = Details.empty();
        Details.putStop(details, stop.reason());
        notDone(passage, details);
        return stop;
    }

    private void notDone(Passage<?> passage, ObjectNode details) {
        journal.fresh(passage.intent().event());
        journal.fresh(
                new EffectOutcome(
                        passage.id(), Status.FAILED, Optional.empty(), Duration.ZERO, details));
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
            ObjectNode details = Details.empty();
            Details.putCost(details, passage.effect().atMost());
            journal.fresh(
                    new EffectOutcome(
                            passage.id(),
                            Status.UNKNOWN,
                            Optional.empty(),
                            Duration.ZERO,
                            details));
            throw results.unknown(passage);
        }
        Cost most = passage.effect().atMost();
        ledger.reserve(most);
        return perform(passage, scope, most);
    }

    private <R> R perform(Passage<R> passage, Scope scope, Cost most) {
        Effect<?, R> effect = passage.effect();
        long begin = System.nanoTime();
        ObjectNode details = Details.empty();
        // What nobody knows the cost of has cost all that was reserved.
        Cost used = most;
        try {
            Done<R> done = attempts(passage, scope, details);
            used = done.used();
            byte[] result = Json.bytes(done.result());
            ObjectNode all = Details.copy(done.details());
            all.setAll(details);
            Details.putCost(all, used);
            boolean hidden = effect.isPrivate() || journal.isSecret();
            journal.fresh(
                    new EffectOutcome(
                            passage.id(),
                            Status.DONE,
                            Optional.of(journal.keep(result, hidden)),
                            since(begin),
                            all));
            return Json.value(result, effect.resultType());
        } catch (Failure e) {
            // It was a call, but nothing came of it.
            used = Cost.NONE.modelCalls(most.modelCalls()).toolCalls(most.toolCalls());
            Details.putProblem(details, e.code(), e.getMessage());
            Details.putCost(details, used);
            journal.fresh(outcome(passage, Status.FAILED, begin, details));
            throw Results.failed(passage, e.code(), e.getMessage());
        } catch (Hands.LeftBehind e) {
            Details.putCost(details, used);
            boolean safe = effect.ifUnknown() == Effect.IfUnknown.REPEAT;
            String code = e.isLate() ? "time-out" : "cancelled";
            Details.putProblem(details, code, effect.name() + " " + e.getMessage());
            journal.fresh(outcome(passage, safe ? Status.FAILED : Status.UNKNOWN, begin, details));
            scope.check();
            throw safe
                    ? Results.failed(passage, code, effect.name() + " " + e.getMessage())
                    : results.unknown(passage);
        } finally {
            ledger.settle(most, used);
        }
    }

    private static EffectOutcome outcome(
            Passage<?> passage, Status status, long begin, ObjectNode details) {
        return new EffectOutcome(passage.id(), status, Optional.empty(), since(begin), details);
    }

    private <R> Done<R> attempts(Passage<R> passage, Scope scope, ObjectNode details)
            throws Hands.LeftBehind {
        Effect<?, R> effect = passage.effect();
        for (int attempt = 1; ; attempt++) {
            Instant until =
                    effect.within()
                            .map(Instant.now()::plus)
                            .filter(deadline::isAfter)
                            .orElse(deadline);
            Call call = new Call(journal.run() + "/" + passage.id().key(), until);
            try {
                return Hands.perform(effect, call, Duration.between(Instant.now(), until));
            } catch (Failure e) {
                if (!e.isPassing() || attempt >= effect.retry().attempts()) {
                    throw e;
                }
                Duration pause = effect.retry().pause(attempt, e, ThreadLocalRandom.current());
                details.withArray("/" + Details.ATTEMPTS)
                        .addObject()
                        .put(Details.CODE, e.code())
                        .put("pauseMillis", pause.toMillis());
                pause(pause, scope);
            }
        }
    }

    private static void pause(Duration pause, Scope scope) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            scope.check();
            throw Failure.lasting("interrupted", "The thread of the run was interrupted");
        }
    }

    private static Duration since(long begin) {
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
