package dev.glovebox.run;

import dev.glovebox.run.spi.Decision;
import dev.glovebox.run.spi.Interceptor;
import dev.glovebox.run.spi.Request;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What each effect goes through in a run of which nothing is kept: a budget is reserved,
 * interceptors are asked, it is performed.
 */
final class UntracedDoor {

    private final String run;
    private final Ledger ledger;
    private final List<Interceptor> interceptors;
    private final Attempts attempts;
    private final LoopWatch loops = new LoopWatch();

    UntracedDoor(String run, Ledger ledger, List<Interceptor> interceptors, Attempts attempts) {
        this.run = run;
        this.ledger = ledger;
        this.interceptors = interceptors;
        this.attempts = attempts;
    }

    String run() {
        return run;
    }

    <R> R pass(String path, long ordinal, Effect<?, R> effect, Scope scope) {
        scope.check();
        Cost most = effect.atMost();
        ledger.reserve(most);
        // What was not performed has cost nothing.
        Cost used = Cost.NONE;
        try {
            permit(path, effect);
            // What nobody knows the cost of has cost all that was reserved.
            used = most;
            String key = run + "/" + Tape.key(path, ordinal);
            Done<R> done = attempts.make(effect, key, Details.empty());
            used = done.used();
            scope.check();
            return done.result();
        } catch (Failure e) {
            // It was a call, but nothing came of it.
            used = Cost.NONE.modelCalls(most.modelCalls()).toolCalls(most.toolCalls());
            scope.check();
            throw failed(effect, e.code(), e.getMessage());
        } catch (Hands.LeftBehind e) {
            scope.check();
            if (effect.ifUnknown() == Effect.IfUnknown.REPEAT) {
                throw failed(effect, "time-out", effect.name() + " " + e.getMessage());
            }
            String key = run + "/" + Tape.key(path, ordinal);
            throw new OutcomeUnknown(effect.kind(), effect.name(), key);
        } finally {
            ledger.settle(most, used);
        }
    }

    private void permit(String path, Effect<?, ?> effect) {
        if (effect.mayLoop()) {
            String arguments = new String(Json.bytes(effect.arguments()), StandardCharsets.UTF_8);
            loops.next(effect, path, arguments)
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
                        path,
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
        return new EffectFailed(effect.kind(), effect.name(), code, message);
    }
}
