package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.glovebox.sandbox.spi.Hearing;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Streams;
import dev.glovebox.sandbox.spi.Touched;
import dev.glovebox.sandbox.spi.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program in a guest. One thread takes its output in order of arrival; whoever decides the
 * outcome first has decided it.
 */
final class GuestCommand implements Execution, Link.Listener {

    // How long a listener may still be busy after its program was killed.
    private static final Duration AFTER_KILL = Duration.ofMillis(100);
    private static final int SIGXCPU = 24;
    private static final int SIGSYS = 31;
    private static final int LARGEST_SIGNAL = 64;
    private static final int LARGEST_CODE = 255;
    private static final long LARGEST_USAGE = 1L << 50;

    private record Piece(Channel channel, Duration at, byte[] bytes) {}

    private final MicrovmBox box;
    private final Program program;
    private final Policy policy;
    private final Hearing hearing;
    private final Touched touched = new Touched();
    private final Verdict verdict = new Verdict();
    private final Deque<Piece> queue = new ArrayDeque<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final CountDownLatch pumped = new CountDownLatch(1);
    private final CountDownLatch over = new CountDownLatch(1);
    private final int number;
    private final GuestInput input;
    private volatile Duration cpu = Duration.ZERO;
    private volatile long peak;
    private volatile @Nullable Result result;
    private int queued;
    private boolean closed;

    GuestCommand(MicrovmBox box, Program program, Consumer<Chunk> listener) {
        this.box = box;
        this.program = program;
        policy = box.policy();
        hearing = new Hearing(policy, listener, touched, this::stop);
        number = box.link().register(this);
        input = new GuestInput(box.link(), number);
    }

    int number() {
        return number;
    }

    void begin() {
        Thread.ofVirtual().name("glovebox-vm-output").start(this::pump);
        Thread.ofVirtual().name("glovebox-vm-wall").start(this::watch);
        Thread.ofVirtual().name("glovebox-vm-settle").start(this::settle);
        program.stdin()
                .ifPresent(
                        all -> Thread.ofVirtual().name("glovebox-vm-input").start(() -> feed(all)));
    }

    private void feed(byte[] all) {
        try (GuestInput to = input) {
            to.write(all);
        } catch (IOException e) {
            // It ended before it had read everything.
        }
    }

    private void watch() {
        Duration wall = policy.limits().wall();
        try {
            if (!ended.await(wall.toMillis(), TimeUnit.MILLISECONDS)) {
                stop(new Outcome.TimedOut(wall));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public OutputStream stdin() {
        return input;
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
            box.killFor(this);
        }
    }

    /** Decides the outcome, unless it is decided; true if it was not. */
    boolean decide(Outcome how) {
        return verdict.decide(how);
    }

    /** Takes note that nothing of it runs any more. */
    void ended() {
        ended.countDown();
    }

    boolean hasEnded() {
        return ended.getCount() == 0;
    }

    // What the guest says

    @Override
    public synchronized boolean output(boolean error, byte[] bytes) {
        if (closed) {
            return true;
        }
        queued += Link.FRAME + bytes.length;
        // A frame may come on top of a window that was not quite used up.
        if (queued > 2 * Link.WINDOW) {
            return false;
        }
        Channel channel = error ? Channel.STDERR : Channel.STDOUT;
        queue.add(new Piece(channel, verdict.elapsed(), bytes));
        notifyAll();
        return true;
    }

    @Override
    public boolean taken(int bytes) {
        return input.taken(bytes);
    }

    @Override
    public void exited(JsonNode how) {
        Limits limits = policy.limits();
        cpu = Duration.of(bounded(how.path("cpu")), ChronoUnit.MICROS);
        peak = bounded(how.path("peak"));
        if (how.path("crowded").asLong() > box.crowded()) {
            box.crowded(how.path("crowded").asLong());
            press(Limit.PROCESSES, "no more than " + limits.processes() + " at once");
        }
        if (how.path("room").asLong() == 0) {
            press(Limit.DISK, "no room left in " + limits.disk());
        }
        if (how.path("descriptors").asLong() >= limits.openFiles()) {
            press(Limit.OPEN_FILES, "a process held all " + limits.openFiles() + " descriptors");
        }
        if (how.path("inodes").asLong() == 0) {
            press(Limit.INODES, "no more files can be made");
        }
        if (decide(outcome(how, limits)) && verdict.outcome() instanceof Outcome.LimitHit) {
            // Aside: this is the thread that would hear that the killing is over.
            Thread.ofVirtual().name("glovebox-vm-kill").start(() -> box.killFor(this));
        } else {
            ended.countDown();
        }
    }

    /** A number that whoever adds or converts it can. */
    private static long bounded(JsonNode number) {
        return Math.clamp(number.asLong(), 0, LARGEST_USAGE);
    }

    private Outcome outcome(JsonNode how, Limits limits) {
        String excess = how.path("excess").asText();
        int code = how.path("code").asInt(Integer.MIN_VALUE);
        if (excess.equals("cpu") || code == -SIGXCPU) {
            long most = limits.cpuTime().toMillis();
            return new Outcome.LimitHit(Limit.CPU_TIME, most, Math.max(most, cpu.toMillis()));
        }
        if (excess.equals("inodes")) {
            return new Outcome.LimitHit(Limit.INODES, box.inodes(), box.inodes());
        }
        if (excess.equals("memory") || how.path("oom").asLong() > 0) {
            long most = limits.memory().count();
            return new Outcome.LimitHit(Limit.MEMORY, most, Math.max(most, peak));
        }
        if (code == -SIGSYS) {
            return new Outcome.Denied("seccomp", "a system call that the box forbids");
        }
        if (code < 0 && code >= -LARGEST_SIGNAL) {
            return new Outcome.Signalled(-code);
        }
        return code >= 0 && code <= LARGEST_CODE
                ? new Outcome.Exited(code)
                : new Outcome.Unknown("the guest tells no exit code");
    }

    @Override
    public void lost(String why) {
        decide(new Outcome.Unknown(why));
        ended.countDown();
    }

    // Output

    private void pump() {
        try {
            for (Piece piece = next(); piece != null; piece = next()) {
                hearing.take(piece.channel(), piece.at(), piece.bytes());
                box.link().acknowledge(number, Link.FRAME + piece.bytes().length);
            }
        } finally {
            pumped.countDown();
        }
    }

    private synchronized @Nullable Piece next() {
        while (queue.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return null;
            }
        }
        Piece piece = queue.poll();
        if (piece != null) {
            queued -= Link.FRAME + piece.bytes().length;
        }
        return piece;
    }

    private void press(Limit limit, String detail) {
        touched.add(new Pressure(limit, detail));
    }

    // The end

    private void settle() {
        try {
            ended.await();
            synchronized (this) {
                closed = true;
                notifyAll();
            }
            if (verdict.outcome() instanceof Outcome.Exited) {
                pumped.await(policy.limits().wall().toMillis(), TimeUnit.MILLISECONDS);
            } else {
                pumped.await(AFTER_KILL.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        input.end();
        box.link().forget(number);
        try {
            result = result();
        } finally {
            box.released(this);
            over.countDown();
        }
    }

    private Result result() {
        Streams.Kept kept = hearing.finish();
        ResultFiles files = box.outputs(program);
        return new Result(
                verdict.outcome(),
                kept.stdout(),
                kept.stderr(),
                kept.timeline(),
                kept.usage(verdict.took(), cpu, peak),
                touched.all(),
                List.of(),
                files.taken(),
                files.refused(),
                box.receipt(program, kept.stdout(), kept.stderr()));
    }
}
