package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import run.endive.runtime.WasmInterruptedException;

/** The thread that a program runs on, and how its end is read. */
final class Life {

    /** What runs: an engine with a script, or a module. */
    @FunctionalInterface
    interface Body {
        void run(Guest guest);
    }

    // The engine's own stack, in its memory, is used up before this is.
    private static final long STACK = 32L << 20;
    // What a shell says of a program that was aborted, as other WebAssembly runtimes do.
    private static final int ABORTED = 134;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Command command;
    private final Guest guest;
    private final Body body;
    private final Thread thread;
    private volatile long used;
    private volatile boolean finished;

    Life(Command command, Guest guest, Body body) {
        this.command = command;
        this.guest = guest;
        this.body = body;
        thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("glovebox-wasm")
                        .stackSize(STACK)
                        .inheritInheritableThreadLocals(false)
                        .unstarted(this::live);
    }

    void begin() {
        thread.start();
    }

    void interrupt() {
        thread.interrupt();
    }

    /** Processor time so far; the compilers and collectors of the JVM are not in it. */
    Duration cpu() {
        if (!finished) {
            long now = THREADS.getThreadCpuTime(thread.threadId());
            used = Math.max(used, now);
        }
        return Duration.ofNanos(used);
    }

    private void live() {
        Outcome how;
        try {
            how = outcome();
        } catch (RuntimeException | Error e) {
            how = new Outcome.Unknown("the engine failed: " + e);
        }
        used = Math.max(used, THREADS.getCurrentThreadCpuTime());
        finished = true;
        Thread.interrupted(); // what comes now is ours and has to be done
        command.ended(how);
    }

    private Outcome outcome() {
        Outcome how;
        try {
            guest.processors().take();
            try {
                how = run();
            } finally {
                guest.processors().giveBack();
            }
            // A program counts as running while somebody still hears what it said.
            command.drain();
        } catch (Unwinding.Stopped | InterruptedException e) {
            how = new Outcome.Unknown("it was interrupted by somebody else");
        }
        return how;
    }

    private Outcome run() {
        try {
            body.run(guest);
            return new Outcome.Exited(0);
        } catch (Unwinding.Exit e) {
            return new Outcome.Exited(e.code() & 0xff);
        } catch (Unwinding.NoProgram e) {
            return new Outcome.NotStarted(e.reason());
        } catch (Unwinding.Stopped | WasmInterruptedException e) {
            throw new Unwinding.Stopped();
        } catch (OutOfMemoryError e) {
            long limit = (long) guest.pages().limit() * Pages.SIZE;
            return new Outcome.LimitHit(Limit.MEMORY, limit, limit);
        } catch (BoxGone e) {
            throw new Unwinding.Stopped();
        } catch (RuntimeException | StackOverflowError e) {
            if (command.stopped()) {
                throw new Unwinding.Stopped();
            }
            return trap(e);
        }
    }

    private Outcome trap(Throwable e) {
        String what = e instanceof StackOverflowError ? "call stack exhausted" : e.getMessage();
        guest.write(Channel.STDERR, ("wasm trap: " + what + "\n").getBytes(StandardCharsets.UTF_8));
        return new Outcome.Exited(ABORTED);
    }
}
