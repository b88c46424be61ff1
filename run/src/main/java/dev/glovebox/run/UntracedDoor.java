package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.spi.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What each effect goes through in a run of which nothing is kept: a budget is reserved,
 * interceptors are asked, it is performed.
 */
final class UntracedDoor {

    private final String run;
    private final Ledger ledger;
    private final List<Interceptor> interceptors;
    private final LoopWatch loops;
    private final Attempts attempts;
    private final Consumer<Visit> successor;

    /**
     * Opens it for one thread.
     *
     * @param successor goes on with a visit in which this thread is left behind
     */
    UntracedDoor(
            String run,
            Ledger ledger,
            List<Interceptor> interceptors,
            LoopWatch loops,
            Attempts attempts,
            Consumer<Visit> successor) {
        this.run = run;
        this.ledger = ledger;
        this.interceptors = interceptors;
        this.loops = loops;
        this.attempts = attempts;
        this.successor = successor;
    }

    /** Where a node is, and what came of its effects until then. */
    record Visit(Spot spot, List<UntracedContext.Came> came) {}

    String run() {
        return run;
    }

    /**
     * Takes an effect through; what came of it.
     *
     * @param visit where its node is when the thread is left behind, and the effect came to that
     */
    <R> R pass(
            Spot spot,
            long ordinal,
            Effect<?, R> effect,
            Scope scope,
            Function<RuntimeException, Visit> visit) {
        scope.check();
        Bill bill =
                new Bill(ledger, Cost.NONE, ledger.reserve(effect::atMost, scope), effect::atMost);
        boolean left = false;
        // What was not performed has cost nothing.
        Optional<Cost> used = Optional.of(Cost.NONE);
        try {
            permit(spot, effect);
            // What nobody knows the cost of has cost all that it may.
            used = Optional.empty();
            Supplier<String> key = () -> key(spot, ordinal);
            Done<R> done =
                    attempts.make(
                            effect,
                            key,
                            Details::empty,
                            bill::again,
                            why -> {
                                bill.settle(bill.unknown());
                                successor.accept(visit.apply(problem(effect, key.get(), why)));
                            });
            used = Optional.of(done.used());
            scope.check();
            return done.result();
        } catch (Failure e) {
            used = e.used();
            scope.check();
            throw failed(effect, e.code(), e.getMessage());
        } catch (Hands.LeftBehind e) {
            scope.check();
            throw problem(effect, key(spot, ordinal), e);
        } catch (Unwinding.Left e) {
            // Whoever goes on with the run has paid for it.
            left = true;
            throw e;
        } finally {
            if (!left) {
                bill.settle(used.orElseGet(bill::unknown));
            }
        }
    }

    private String key(Spot spot, long ordinal) {
        return run + "/" + Tape.key(spot.path(), ordinal);
    }

    private static RuntimeException problem(Effect<?, ?> effect, String key, Hands.LeftBehind why) {
        return effect.ifUnknown() == Effect.IfUnknown.REPEAT
                ? failed(effect, "time-out", effect.name() + " " + why.getMessage())
                : new OutcomeUnknown(effect.kind(), effect.name(), key);
    }

    private void permit(Spot spot, Effect<?, ?> effect) {
        if (effect.countsAsLoop()) {
            Object arguments = effect.arguments();
            loops.next(
                            spot,
                            effect,
                            arguments instanceof JsonNode tree
                                    ? tree
                                    : new String(Json.bytes(arguments), StandardCharsets.UTF_8))
                    .ifPresent(loop -> {
                        throw new Stop(loop);
                    });
        }
        if (interceptors.isEmpty()) {
            return;
        }
        Request request =
                new Request(
                        run,
                        spot.path(),
                        effect.agent(),
                        effect.kind(),
                        effect.name(),
                        Parts.of(effect.arguments(), effect.apart()).whole());
        for (Interceptor interceptor : interceptors) {
            switch (Door.decision(interceptor, request)) {
                case Decision.Allow allow -> {}
                case Decision.Refuse refuse -> throw failed(effect, "refused", refuse.why());
                case Decision.Approve approve ->
                        throw new Stop(
                                new StopReason.ApprovalDenied(
                                        approve.question().text(), Answer.TIME_OUT));
                case Decision.StopRun stop -> throw new Stop(stop.reason());
            }
        }
    }

    private static EffectFailed failed(Effect<?, ?> effect, String code, String message) {
        return new EffectFailed(effect, code, message);
    }
}
