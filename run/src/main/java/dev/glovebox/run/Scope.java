package dev.glovebox.run;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The threads that end together: those of a run, or of the branches of a fan-out in it. */
final class Scope {

    private final @Nullable Scope parent;
    private final Set<Scope> children = ConcurrentHashMap.newKeySet();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private volatile @Nullable StopReason reason;
    private volatile boolean suspended;

    Scope() {
        this(null);
    }

    private Scope(@Nullable Scope parent) {
        this.parent = parent;
    }

    /** A scope that ends with this one, or before. */
    Scope child() {
        Scope child = new Scope(this);
        children.add(child);
        StopReason known = reason;
        if (known != null) {
            child.cancel(known);
        }
        return child;
    }

    /** Takes it out of its parent. */
    void close() {
        if (parent != null) {
            parent.children.remove(this);
        }
    }

    /** The thread that calls this is interrupted when the scope is cancelled. */
    void enter() {
        threads.add(Thread.currentThread());
        if (reason != null) {
            Thread.currentThread().interrupt();
        }
    }

    /** Forgets an interruption that came from here. */
    void leave() {
        synchronized (this) {
            threads.remove(Thread.currentThread());
        }
        boolean _ = Thread.interrupted();
    }

    /** Only the first reason counts. */
    synchronized void cancel(StopReason why) {
        if (reason == null) {
            reason = why;
            children.forEach(child -> child.cancel(why));
            threads.forEach(Thread::interrupt);
        }
    }

    /** Cancels it for this process only: another time it goes on. */
    synchronized void suspend() {
        if (reason == null) {
            suspended = true;
            cancel(new StopReason.Cancelled("the end of the process"));
        }
    }

    boolean isSuspended() {
        return parent == null ? suspended : parent.isSuspended();
    }

    /** What is left to do when something could not be recorded or read. */
    Unwinding broken(RuntimeException problem) {
        StopReason known = reason;
        // An interruption reaches the store as well, and what then breaks there is not broken.
        return known == null ? new Unwinding.Broken(problem) : new Unwinding.Halted(known);
    }

    boolean isCancelled() {
        return reason != null;
    }

    /** Why it was cancelled, if it was. */
    Optional<StopReason> reason() {
        return Optional.ofNullable(reason);
    }

    /** Cancels another one for the reason that this was cancelled for, if it was. */
    synchronized void passOn(Scope other) {
        StopReason known = reason;
        if (suspended) {
            other.suspend();
        } else if (known != null) {
            other.cancel(known);
        }
    }

    /** Ends the thread's work if it goes on another time. */
    void checkSuspended() {
        if (isSuspended()) {
            check();
        }
    }

    /** Ends the thread's work if the scope is cancelled. */
    void check() {
        StopReason known = reason;
        if (known != null) {
            throw new Unwinding.Halted(known);
        }
    }
}
