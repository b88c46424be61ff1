package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Streams;
import dev.glovebox.sandbox.spi.Touched;
import dev.glovebox.sandbox.spi.Verdict;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program in flight, on a thread of its own. Whoever decides the outcome first has decided it;
 * the command is over when its thread has ended and its memory is given back.
 */
final class Command implements Execution, Guest.Owner {

    // How long a listener may still be busy after its program was killed.
    private static final Duration AFTER_KILL = Duration.ofMillis(100);
    // Interrupts are heard within a loop of the program; this is for what does not hear them.
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final WasmBox box;
    private final Program program;
    private final Limits limits;
    private final Policy.OutputOverflow overflow;
    private final Guest guest;
    private final Outlet outlet;
    private final Life life;
    private final Touched touched = new Touched();
    private final Verdict verdict = new Verdict();
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile @Nullable LinearMemory memory;
    private volatile @Nullable Result result;

    Command(WasmBox box, Program program, List<String> words, Life.Body body, Consumer<Chunk> ear) {
        this.box = box;
        this.program = program;
        limits = box.policy().limits();
        overflow = box.policy().outputOverflow();
        Inlet inlet = new Inlet();
        program.stdin()
                .ifPresent(bytes -> {
                    inlet.beforehand(bytes);
                    inlet.close();
                });
        guest = box.guest(inlet, words, program.env(), this);
        outlet =
                new Outlet(
                        limits.output(),
                        ear,
                        e -> stop(new Outcome.Cancelled("its listener failed: " + e)));
        life = new Life(this, guest, body);
    }

    void begin() {
        life.begin();
        Supervisor.watch(this);
    }

    @Override
    public OutputStream stdin() {
        return guest.inlet();
    }

    @Override
    public void cancel(String reason) {
        stop(new Outcome.Cancelled(reason));
    }

    @Override
    public boolean done() {
        return over.getCount() == 0;
    }

    @Override
    public Result await() throws InterruptedException {
        over.await();
        Result settled = result;
        if (settled == null) {
            throw new IllegalStateException("A command that is over has a result");
        }
        return settled;
    }

    /** Decides the outcome, unless it is decided, and ends everything in the box. */
    void stop(Outcome how) {
        if (decide(how)) {
            box.killOthers(this);
            life.interrupt();
        }
    }

    /** Decides the outcome, unless it is decided; true if it was not. */
    boolean decide(Outcome how) {
        return verdict.decide(how);
    }

    void interrupt() {
        life.interrupt();
    }

    boolean stopped() {
        return verdict.isDecided();
    }

    /** Holds the program to its times; called every few milliseconds. */
    void tick() {
        if (stopped()) {
            // Again and again: it may have been between two places where interrupts are heard.
            life.interrupt();
            LinearMemory held = memory;
            Duration since = verdict.elapsed().minus(verdict.took());
            if (held != null && since.compareTo(PATIENCE) > 0) {
                held.close();
            }
        } else if (elapsed().compareTo(limits.wall()) >= 0) {
            stop(new Outcome.TimedOut(limits.wall()));
        } else if (life.cpu().compareTo(limits.cpuTime()) > 0) {
            stop(
                    new Outcome.LimitHit(
                            Limit.CPU_TIME, limits.cpuTime().toMillis(), life.cpu().toMillis()));
        }
    }

    @Override
    public void output(Channel channel, byte[] bytes) throws InterruptedException {
        if (outlet.add(channel, elapsed(), bytes)) {
            if (overflow == Policy.OutputOverflow.KILL) {
                stop(
                        new Outcome.LimitHit(
                                Limit.OUTPUT, limits.output().count(), outlet.total(channel)));
                throw new Unwinding.Stopped();
            }
            press(Limit.OUTPUT, "more than " + limits.output() + " on " + channel);
        }
    }

    @Override
    public Unwinding overMemory(int pages) {
        long wanted = ((long) guest.pages().used() + pages) * Pages.SIZE;
        long limit = limits.memory().count();
        stop(new Outcome.LimitHit(Limit.MEMORY, limit, Math.max(wanted, limit)));
        return new Unwinding.Stopped();
    }

    @Override
    public Unwinding overFiles(long limit) {
        stop(new Outcome.LimitHit(Limit.INODES, limit, limit + 1));
        return new Unwinding.Stopped();
    }

    @Override
    public void touched(Errno errno) {
        if (errno == Errno.ENOSPC || errno == Errno.EFBIG) {
            press(Limit.DISK, "no room left in " + limits.disk());
        } else if (errno == Errno.EMFILE) {
            press(Limit.OPEN_FILES, "no more than " + limits.openFiles() + " files open at once");
        }
    }

    private void press(Limit limit, String detail) {
        touched.add(new Pressure(limit, detail));
    }

    @Override
    public Duration elapsed() {
        return verdict.elapsed();
    }

    @Override
    public Duration cpu() {
        return life.cpu();
    }

    @Override
    public void holds(LinearMemory held) {
        memory = held;
    }

    /** Waits until the listener has heard everything, as long as the program is not stopped. */
    void drain() throws InterruptedException {
        outlet.drain();
    }

    /** Takes note that the thread has ended: gives everything back, and says how it was. */
    void ended(Outcome how) {
        decide(how);
        try {
            Optional.ofNullable(memory).ifPresent(LinearMemory::close);
            guest.inlet().end();
            guest.descriptors().closeAll();
            outlet.drain(AFTER_KILL);
        } catch (InterruptedException e) {
            // Only the supervisor interrupts, and the listener has had its time.
        } finally {
            try {
                result = settle();
            } finally {
                // Whatever went wrong, nobody waits for ever.
                Supervisor.forget(this);
                box.released(this);
                over.countDown();
            }
        }
    }

    private Result settle() {
        Streams.Kept kept = outlet.finish();
        ResultFiles files = box.outputs(program);
        return new Result(
                verdict.outcome(),
                kept.stdout(),
                kept.stderr(),
                kept.timeline(),
                kept.usage(verdict.took(), life.cpu(), guest.pages().peakBytes()),
                touched.all(),
                List.of(),
                files.taken(),
                files.refused(),
                box.receipt(program, guest, kept.stdout(), kept.stderr()));
    }
}
