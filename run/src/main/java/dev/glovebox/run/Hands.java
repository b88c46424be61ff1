package dev.glovebox.run;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Performs effects, each on a thread of its own, so that one that hangs can be left behind. */
final class Hands {

    // For what is interrupted to end in order: to kill its program, to close its connection.
    static final Duration GRACE = Duration.ofSeconds(2);

    private Hands() {}

    /** It took too long, or was interrupted, and did not end by itself then. */
    static final class LeftBehind extends Exception {
        private final boolean late;

        LeftBehind(boolean late) {
            super(late ? "took too long" : "was interrupted", null, false, false);
            this.late = late;
        }

        boolean isLate() {
            return late;
        }
    }

    /**
     * Performs it once.
     *
     * @param most how long; empty: until the thread is interrupted
     * @throws LeftBehind if nobody knows what became of it
     * @throws Failure if it was not done
     */
    static <R> Done<R> perform(Effect<?, R> effect, Call call, Optional<Duration> most)
            throws LeftBehind {
        CompletableFuture<Done<R>> result = new CompletableFuture<>();
        Thread hand =
                Thread.ofVirtual()
                        .name("glovebox " + call.key())
                        .start(() -> {
                            try {
                                result.complete(Objects.requireNonNull(effect.perform(call)));
                            } catch (Throwable e) {
                                result.completeExceptionally(e);
                            }
                        });
        try {
            return most.isPresent()
                    ? result.get(most.get().toNanos(), TimeUnit.NANOSECONDS)
                    : result.get();
        } catch (ExecutionException e) {
            throw failure(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            return afterInterrupt(hand, result, true);
        } catch (InterruptedException e) {
            try {
                return afterInterrupt(hand, result, false);
            } finally {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static <R> Done<R> afterInterrupt(
            Thread hand, CompletableFuture<Done<R>> result, boolean late) throws LeftBehind {
        hand.interrupt();
        long until = System.nanoTime() + GRACE.toNanos();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (late && e.getCause() instanceof Failure known) {
                throw known;
            }
            throw new LeftBehind(late);
        } catch (TimeoutException e) {
            throw new LeftBehind(late);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static Failure failure(Throwable cause) {
        if (cause instanceof Failure known) {
            return known;
        }
        String message = NodeFailure.message(cause);
        String kind = cause.getClass().getSimpleName();
        return Failure.lasting("error", message == null ? kind : kind + ": " + message);
    }
}
