package dev.glovebox.run;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait for one agent: so many, and so many bytes, and no more.
 *
 * <p>Whoever finds it full waits in line. It ends empty: retired, when its agent has nothing to do,
 * or stopped, when the runtime closes; nothing can be put into it then, so nothing gets lost in it.
 */
final class Mailbox {

    /** What became of a message. */
    enum Put {
        IN,
        FULL,
        RETIRED,
        STOPPED
    }

    private enum State {
        OPEN,
        RETIRED,
        STOPPED
    }

    private final Semaphore places;
    private final Semaphore room;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Queue<Envelope> waiting = new ArrayDeque<>();
    private final AgentLimits limits;
    private State state = State.OPEN;

    Mailbox(AgentLimits limits) {
        this.limits = limits;
        places = new Semaphore(limits.mailbox(), true);
        room = new Semaphore(limits.mailboxBytes(), true);
    }

    Put put(Envelope envelope, AgentDeadline until) throws InterruptedException {
        if (!places.tryAcquire(until.left(), TimeUnit.NANOSECONDS)) {
            return Put.FULL;
        }
        int bytes = envelope.content().bytes();
        boolean fits = false;
        boolean in = false;
        try {
            fits = room.tryAcquire(bytes, until.left(), TimeUnit.NANOSECONDS);
            Put result = fits ? add(envelope) : Put.FULL;
            in = result == Put.IN;
            return result;
        } finally {
            if (!in) {
                places.release();
                room.release(fits ? bytes : 0);
            }
        }
    }

    private Put add(Envelope envelope) {
        lock.lock();
        try {
            return switch (state) {
                case OPEN -> {
                    waiting.add(envelope);
                    changed.signal();
                    yield Put.IN;
                }
                case RETIRED -> Put.RETIRED;
                case STOPPED -> Put.STOPPED;
            };
        } finally {
            lock.unlock();
        }
    }

    /** The next message; null if none came for so long, or the mailbox is stopped. */
    @Nullable Envelope take(Duration idle) {
        AgentDeadline until = AgentDeadline.in(idle);
        lock.lock();
        try {
            while (waiting.isEmpty() && state == State.OPEN && until.left() > 0) {
                try {
                    long ignored = changed.awaitNanos(until.left());
                } catch (InterruptedException e) {
                    // Somebody kept this thread, and interrupts it while no message is handled.
                }
            }
            Envelope next = waiting.poll();
            if (next != null) {
                room.release(next.content().bytes());
                places.release();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it if nothing waits in it. */
    boolean retire() {
        lock.lock();
        try {
            if (state == State.OPEN && waiting.isEmpty()) {
                state = State.RETIRED;
            }
            return state != State.OPEN;
        } finally {
            lock.unlock();
        }
    }

    boolean isStopped() {
        lock.lock();
        try {
            return state == State.STOPPED;
        } finally {
            lock.unlock();
        }
    }

    /** Ends it, and gives back what waits in it. */
    List<Envelope> stop() {
        lock.lock();
        try {
            state = State.STOPPED;
            List<Envelope> left = List.copyOf(waiting);
            waiting.clear();
            changed.signal();
            // Each sender that waits in line finds it stopped, and lets the next one in.
            places.release();
            room.release(limits.messageBytes());
            return left;
        } finally {
            lock.unlock();
        }
    }
}
