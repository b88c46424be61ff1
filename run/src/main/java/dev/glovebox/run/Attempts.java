package dev.glovebox.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Performs effects, and those that fail for a passing reason again, as often as they say. */
final class Attempts {

    // What a count of nanoseconds holds, and more than anybody waits.
    private static final Duration LONGEST = Duration.ofDays(36_500);

    private final long deadline;
    private final Optional<Watchdog.Post> post;

    /**
     * Makes attempts.
     *
     * @param deadline when somebody interrupts whoever makes them
     * @param post of the thread that makes them; on others, each is made on a thread of its own
     */
    Attempts(Instant deadline, Optional<Watchdog.Post> post) {
        Duration left = Duration.between(Instant.now(), deadline);
        this.deadline =
                System.nanoTime() + (left.compareTo(LONGEST) < 0 ? left : LONGEST).toNanos();
        this.post = post;
    }

    /**
     * Makes them.
     *
     * @param details gets a note of each one that failed, but not of the last one
     * @param again pays for one that failed; whether there is still enough for another one
     * @param leaving is told when this thread is left behind with it; see {@link Watchdog}
     * @throws Failure of the last one, with what all of them have cost
     */
    <R> Done<R> make(
            Effect<?, R> effect,
            Supplier<String> key,
            Supplier<ObjectNode> details,
            Predicate<Cost> again,
            Consumer<Hands.LeftBehind> leaving)
            throws Hands.LeftBehind {
        Cost before = Cost.NONE;
        for (int attempt = 1; ; attempt++) {
            long now = System.nanoTime();
            Duration left = Duration.ofNanos(deadline - now);
            Optional<Duration> within = effect.within().filter(time -> time.compareTo(left) < 0);
            Call call = new Call(key, within.orElse(left), now);
            try {
                Done<R> done =
                        post.isPresent() && post.get().isHere()
                                ? post.get().perform(effect, call, within, leaving)
                                : Hands.perform(effect, call, within);
                return attempt == 1
                        ? done
                        : new Done<>(done.result(), before.plus(done.used()), done.details());
            } catch (Failure e) {
                Cost cost = e.used().orElseGet(() -> inVain(effect));
                before = before.plus(cost);
                if (!e.isPassing() || attempt >= effect.retry().attempts() || !again.test(cost)) {
                    throw e.used(before);
                }
                Duration pause = effect.retry().pause(attempt, e, ThreadLocalRandom.current());
                details.get()
                        .withArray("/" + Details.ATTEMPTS)
                        .addObject()
                        .put(Details.CODE, Details.clean(e.code()))
                        .put("pauseMillis", pause.toMillis());
                pause(pause, e.used(before));
            }
        }
    }

    /** A call of which nothing came. */
    private static Cost inVain(Effect<?, ?> effect) {
        Cost most = effect.atMost();
        return Cost.NONE.modelCalls(most.modelCalls()).toolCalls(most.toolCalls());
    }

    private static void pause(Duration pause, Failure last) {
        try {
            Thread.sleep(pause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw last;
        }
    }
}
