package dev.glovebox.run;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How often an effect is tried that fails for a passing reason.
 *
 * @param attempts in all
 * @param first the longest wait before the second attempt; it doubles each time
 * @param longest no wait is longer, unless the other side asks for it
 */
public record Retry(int attempts, Duration first, Duration longest) {

    public static Retry never() {
        return new Retry(1, Duration.ZERO, Duration.ZERO);
    }

    /** Four attempts, with up to 0.5, 1 and 2 seconds between them. */
    public static Retry standard() {
        return new Retry(4, Duration.ofMillis(500), Duration.ofSeconds(30));
    }

    public Retry {
        if (attempts < 1) {
            throw new IllegalArgumentException("Less than one attempt");
        }
    }

    /**
     * How long to wait behind an attempt: a random time, so that many who failed together do not
     * come back together, and not less than what the other side asks for.
     */
    Duration pause(int attempt, Failure failure, RandomGenerator random) {
        long most = Math.min(first.toMillis() << Math.min(attempt - 1, 30), longest.toMillis());
        Duration chosen = Duration.ofMillis(most <= 0 ? 0 : random.nextLong(most + 1));
        return failure.after().filter(asked -> asked.compareTo(chosen) > 0).orElse(chosen);
    }
}
