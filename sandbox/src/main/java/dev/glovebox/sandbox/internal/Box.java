package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What boxes of processes have in common: commands start one by one, are ended all together, and
 * what the last one left running never meets the next.
 */
abstract class Box implements Sandbox {

    // A start that is stuck must not hold up the end of another command for longer.
    private static final long ALONE_MILLIS = 50;

    private final Policy policy;
    private final Scratch scratch;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lifecycle = new ReentrantLock();
    private final AtomicBoolean closed = new AtomicBoolean();
    private final Object closing = new Object();
    private long commands;
    private boolean ended;
    private boolean disposed;

    Box(Policy policy, Scratch scratch) {
        this.policy = policy;
        this.scratch = scratch;
    }

    /** The scratch directory as programs of the box see it. */
    abstract String directory();

    /** Starts a command; its number is its own in this box. */
    abstract Body launch(long number, CommandLine line, Program program);

    /** Makes sure that nothing of former commands is left before the next one starts. */
    abstract void awaitQuiet();

    /** Kills every process of every command, while somebody waits. */
    abstract void clearAtOnce();

    /** Kills what the last command left running, while nobody waits. */
    abstract void clearAtLeisure();

    /** Kills the box itself, commands included. */
    abstract void kill();

    /** Gives back what it held on the host; it was killed, and no command is left. */
    abstract void end();

    /** Closes descriptors that nothing uses any more. */
    abstract void dispose();

    final Policy policy() {
        return policy;
    }

    final Scratch scratch() {
        return scratch;
    }

    @Override
    public final Execution start(Program program, Consumer<Chunk> listener) {
        running.stream().filter(Running::done).forEach(Running::awaitRelease);
        lifecycle.lock();
        try {
            requireOpen();
            boolean first = running.isEmpty();
            if (first) {
                awaitQuiet();
            }
            program.inputs().forEach(scratch::write);
            long number = ++commands;
            String prefix = first ? "" : number + "-";
            CommandLine line = CommandLine.of(program, policy, directory(), prefix);
            line.script().ifPresent(script -> scratch.write(script.filename(), script.source()));
            Running one = new Running(this, launch(number, line, program), program, listener);
            running.add(one);
            one.begin();
            return one;
        } finally {
            lifecycle.unlock();
        }
    }

    private void requireOpen() {
        if (closed.get()) {
            throw new BoxGone("The box is closed");
        }
    }

    /** Takes note that a command has ended and given back what it held. */
    final void released(Running one) {
        lifecycle.lock();
        try {
            running.remove(one);
            if (running.isEmpty() && !closed.get()) {
                clearAtLeisure();
            }
            disposeWhenUnused();
        } finally {
            lifecycle.unlock();
        }
    }

    /** Kills everything because of one command; the others are told whose fault it was. */
    final void killFor(Running culprit) {
        killAll(
                "another command of the box was stopped, and with it everything in the box",
                one -> !one.equals(culprit),
                this::clearAtOnce);
        culprit.body().hangUp();
    }

    private void killAll(String reason, Predicate<Running> told, Runnable killing) {
        boolean alone = Uninterrupted.tryLock(lifecycle, ALONE_MILLIS);
        try {
            // Decided before they are killed, so that none of them is thought to have died by
            // itself; and over for who waits only when the killing is.
            List<Running> hit =
                    running.stream()
                            .filter(told)
                            .filter(one -> one.decide(new Outcome.Cancelled(reason)))
                            .toList();
            killing.run();
            hit.forEach(one -> one.body().hangUp());
            hit.forEach(Running::killed);
        } finally {
            if (alone) {
                lifecycle.unlock();
            }
        }
    }

    @Override
    public final BoxFiles files() {
        requireOpen();
        return scratch;
    }

    @Override
    public final void close() {
        // Whoever comes second, such as the end of the JVM, waits as well.
        synchronized (closing) {
            if (closed.compareAndSet(false, true)) {
                try {
                    List<Running> last = List.copyOf(running);
                    killAll("the box was closed", one -> true, this::kill);
                    last.forEach(Uninterrupted::await);
                    last.forEach(Running::awaitRelease);
                    end();
                } finally {
                    Boxes.closed(this);
                }
                lifecycle.lock();
                try {
                    ended = true;
                    disposeWhenUnused();
                } finally {
                    lifecycle.unlock();
                }
            }
        }
    }

    /** Later than the end of the box if a listener does not return. */
    private void disposeWhenUnused() {
        if (ended && running.isEmpty() && !disposed) {
            disposed = true;
            scratch.close();
            dispose();
        }
    }
}
