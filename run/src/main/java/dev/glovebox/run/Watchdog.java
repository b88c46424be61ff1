package dev.glovebox.run;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Looks after runs that perform effects on their own threads, which costs next to nothing: one that
 * takes too long is interrupted, and one that does not heed that is left behind, with its thread;
 * then somebody else goes on with the run.
 */
final class Watchdog implements AutoCloseable {

    // Nobody notices whether a time-out comes so much later.
    private static final Duration EVERY = Duration.ofMillis(10);
    private static final long NEVER = Long.MAX_VALUE;

    private final Set<Post> posts = ConcurrentHashMap.newKeySet();
    private @Nullable Thread thread;
    private volatile boolean asleep = true;
    private volatile boolean closed;

    /** Begins to look after the thread that calls this. */
    Post post(Scope scope) {
        Post post = new Post(scope);
        posts.add(post);
        if (asleep) {
            wake();
        }
        return post;
    }

    private synchronized void wake() {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name("glovebox watchdog").start(this::watch);
        } else {
            LockSupport.unpark(thread);
        }
    }

    private void watch() {
        while (!closed) {
            asleep = posts.isEmpty();
            // Whoever came before it fell asleep did not wake it.
            if (asleep && posts.isEmpty()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, EVERY.toNanos());
            }
            long now = System.nanoTime();
            posts.forEach(post -> post.look(now));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        LockSupport.unpark(thread);
    }

    /** One thread that it looks after. */
    final class Post implements AutoCloseable {

        private final Thread own = Thread.currentThread();
        private final Scope scope;
        private Phase phase = Phase.IDLE;
        private boolean late;
        private long due;
        private @Nullable Consumer<Hands.LeftBehind> left;

        private Post(Scope scope) {
            this.scope = scope;
        }

        /** What the thread is at. */
        private enum Phase {
            IDLE,
            BUSY,
            INTERRUPTED,
            LEFT
        }

        /** Whether it is this thread. */
        boolean isHere() {
            return Thread.currentThread().equals(own);
        }

        /**
         * Performs an effect.
         *
         * @param leaving is told on another thread when the effect is left behind; this one then
         *     does not come back before the effect does, and ends
         */
        <R> Done<R> perform(
                Effect<?, R> effect,
                Call call,
                Optional<Duration> most,
                Consumer<Hands.LeftBehind> leaving)
                throws Hands.LeftBehind {
            begin(most.isPresent() ? call.nanosAfter(most.get()) : NEVER, leaving);
            Done<R> done = null;
            Throwable problem = null;
            try {
                done = Objects.requireNonNull(effect.perform(call));
            } catch (Throwable e) {
                problem = e;
            }
            boolean wasLate = end();
            if (problem == null) {
                return Objects.requireNonNull(done);
            }
            if (wasLate && problem instanceof Failure known) {
                throw known;
            }
            if (wasLate || scope.isCancelled()) {
                throw new Hands.LeftBehind(wasLate);
            }
            throw Hands.failure(problem);
        }

        private synchronized void begin(long until, Consumer<Hands.LeftBehind> leaving) {
            phase = Phase.BUSY;
            late = false;
            left = leaving;
            due = until;
        }

        /** Whether it took too long. */
        private synchronized boolean end() {
            if (phase == Phase.LEFT) {
                throw new Unwinding.Left();
            }
            phase = Phase.IDLE;
            left = null;
            // Not the effect's: that has ended.
            boolean _ = Thread.interrupted();
            if (scope.isCancelled()) {
                own.interrupt();
            }
            return late;
        }

        private void look(long now) {
            Consumer<Hands.LeftBehind> leaving = null;
            synchronized (this) {
                if (phase == Phase.BUSY && (isDue(now) || scope.isCancelled())) {
                    late = !scope.isCancelled();
                    phase = Phase.INTERRUPTED;
                    due = now + Hands.GRACE.toNanos();
                    if (late) {
                        // Whoever cancels a scope has interrupted it.
                        own.interrupt();
                    }
                } else if (phase == Phase.INTERRUPTED && isDue(now)) {
                    phase = Phase.LEFT;
                    leaving = left;
                }
            }
            if (leaving != null) {
                posts.remove(this);
                Hands.LeftBehind why = new Hands.LeftBehind(late);
                Consumer<Hands.LeftBehind> told = leaving;
                Thread.ofVirtual()
                        .name("glovebox left " + own.getName())
                        .start(() -> told.accept(why));
            }
        }

        private boolean isDue(long now) {
            return due != NEVER && now - due >= 0;
        }

        @Override
        public void close() {
            posts.remove(this);
        }
    }
}
