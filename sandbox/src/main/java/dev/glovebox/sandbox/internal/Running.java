package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Usage;
import dev.glovebox.sandbox.spi.Capture;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Timeline;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command in flight: moves its bytes, holds it to its limits and says how it ended.
 *
 * <p>One thread pumps both output streams, so that their order is kept; the {@link Supervisor}
 * ticks beside it, so that limits hold even while a listener blocks. Whoever decides the outcome
 * first has decided it.
 */
final class Running implements Execution {

    private static final int BUFFER = 64 * 1024;
    // How long the pump may still be busy (in a listener, say) after everything was killed.
    private static final long AFTER_KILL_MILLIS = 100;
    private static final int POLL_MILLIS = 1000;
    private static final long RELEASE_MILLIS = 1000;

    private final Box box;
    private final Body body;
    private final Program program;
    private final Policy policy;
    private final Consumer<Chunk> listener;
    private final Capture stdout;
    private final Capture stderr;
    private final StdinPipe stdin;
    private final Timeline timeline = new Timeline();
    private final Map<Limit, Pressure> pressure = new EnumMap<>(Limit.class);
    private final AtomicReference<Outcome> outcome = new AtomicReference<>();
    private final CountDownLatch decided = new CountDownLatch(1);
    // Open while somebody kills because of the outcome: what is started next must not be hit.
    private final CountDownLatch killed = new CountDownLatch(1);
    private final CountDownLatch pumped = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Object settling = new Object();
    private @Nullable Evidence evidence;
    private @Nullable Result result;
    private final long start = System.nanoTime();
    private volatile long end;
    private boolean deaf;

    Running(Box box, Body body, Program program, Consumer<Chunk> listener) {
        this.box = box;
        this.body = body;
        this.program = program;
        this.policy = box.policy();
        this.listener = listener;
        long room = policy.limits().output().count();
        stdout = new Capture(room);
        stderr = new Capture(room);
        stdin =
                new StdinPipe(
                        body.stdin(),
                        program.stdin().orElse(new byte[0]),
                        () -> outcome.get() != null);
        if (program.stdin().isPresent()) {
            stdin.closeWhenFlushed();
        }
    }

    /** Starts pumping and supervising. */
    void begin() {
        Thread.ofPlatform().daemon().name("glovebox-pump").start(this::pump);
        Supervisor.watch(this);
        evidence(); // while the program starts, not when somebody waits for its result
    }

    private Evidence evidence() {
        synchronized (settling) {
            if (evidence == null) {
                evidence = body.evidence(program);
            }
            return evidence;
        }
    }

    Program program() {
        return program;
    }

    @Override
    public OutputStream stdin() {
        return stdin;
    }

    @Override
    public boolean done() {
        return decided.getCount() == 0;
    }

    @Override
    public void cancel(String reason) {
        stop(new Outcome.Cancelled(reason));
    }

    /** Decides the outcome, unless it is decided, and kills everything in the box. */
    void stop(Outcome verdict) {
        if (decide(verdict)) {
            try {
                box.killFor(this);
            } finally {
                killed();
            }
        }
    }

    /**
     * Decides the outcome, unless it is decided; true if it was not. Who decided kills, and says so
     * with {@link #killed}.
     */
    boolean decide(Outcome verdict) {
        boolean first = outcome.compareAndSet(null, verdict);
        if (first) {
            end = System.nanoTime();
        }
        return first;
    }

    /** Says that the killing is over that was due to the outcome. */
    void killed() {
        killed.countDown();
        decided.countDown();
    }

    /** Takes note of an end that needs no killing, unless the outcome is decided. */
    private void ended(Outcome verdict) {
        if (decide(verdict)) {
            killed.countDown();
        }
    }

    /**
     * Waits until an ended command has given back what it held, unless its listener holds it up.
     */
    void awaitRelease() {
        Uninterrupted.await(released, RELEASE_MILLIS);
    }

    Body body() {
        return body;
    }

    @Override
    public Result await() throws InterruptedException {
        decided.await();
        pumped.await(AFTER_KILL_MILLIS, TimeUnit.MILLISECONDS);
        return settled();
    }

    private Result settled() {
        synchronized (settling) {
            if (result == null) {
                result = settle();
            }
            return result;
        }
    }

    /** Checks the limits that a program does not notice itself; called every few milliseconds. */
    void tick(long count) {
        Limits limits = policy.limits();
        if (System.nanoTime() - start >= limits.wall().toNanos()) {
            stopAside(new Outcome.TimedOut(limits.wall()));
            return;
        }
        if (body.lost()) {
            stopAside(new Outcome.Unknown("something in the box killed the process that held it"));
            return;
        }
        Optional<Outcome> excess = body.meter().excess();
        if (excess.isPresent()) {
            stopAside(excess.get());
        } else if (count % 5 == 0) {
            press(body.meter().pressure());
            press(body.meter().crowding());
        }
    }

    /** Killing may take a moment that the other commands' limits cannot wait for. */
    private void stopAside(Outcome verdict) {
        Thread.ofVirtual().start(() -> stop(verdict));
    }

    private void press(List<Pressure> found) {
        synchronized (pressure) {
            found.forEach(one -> pressure.putIfAbsent(one.limit(), one));
        }
    }

    private void pump() {
        int[] fds = {body.stdout(), body.stderr(), -1, -1};
        short[] events = {Kernel.POLLIN, Kernel.POLLIN, Kernel.POLLIN, Kernel.POLLOUT};
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(BUFFER);
            boolean ended = false;
            while (!ended) {
                fds[2] = body.ending();
                fds[3] = stdin.pendingFd();
                short[] ready = Kernel.poll(fds, events, POLL_MILLIS);
                if (ready[3] != 0) {
                    stdin.flush();
                }
                if (ready[0] != 0 && !take(Channel.STDOUT, fds[0], buffer)) {
                    fds[0] = -1;
                }
                if (ready[1] != 0 && !take(Channel.STDERR, fds[1], buffer)) {
                    fds[1] = -1;
                }
                if (ready[2] != 0) {
                    Optional<Outcome> natural = body.end();
                    if (natural.isPresent()) {
                        ended = true;
                        ended(natural.get());
                    }
                }
            }
            // What the program wrote before its end is in the pipe by now; what others hold open
            // is not waited for.
            drain(Channel.STDOUT, fds[0], buffer);
            drain(Channel.STDERR, fds[1], buffer);
        } catch (KernelException | UncheckedIOException e) {
            // The box went away under us.
            ended(new Outcome.Unknown("its end was not seen: " + e.getMessage()));
        } finally {
            finish();
        }
    }

    private void finish() {
        try {
            // Before the command counts as over: its box may be closed right after.
            settled();
        } finally {
            pumped.countDown();
            Supervisor.forget(this);
            Uninterrupted.await(killed);
            decided.countDown();
            stdin.close();
            body.release();
            box.released(this);
            released.countDown();
        }
    }

    /**
     * No more than the pipe holds: a survivor may write as fast as we read, and is killed later.
     */
    private void drain(Channel channel, int fd, MemorySegment buffer) {
        long most = fd < 0 ? 0 : count(channel) + Kernel.pipeSize(fd);
        while (count(channel) < most
                && Kernel.ready(fd, Kernel.POLLIN, 0)
                && take(channel, fd, buffer)) {
            // Taken.
        }
    }

    private long count(Channel channel) {
        return channel == Channel.STDOUT ? stdout.total() : stderr.total();
    }

    /** Moves what is there; false at the end of the stream. */
    private boolean take(Channel channel, int fd, MemorySegment buffer) {
        int size = Kernel.read(fd, buffer);
        if (size == -Kernel.EAGAIN) {
            return true;
        }
        if (size <= 0) {
            return false;
        }
        byte[] bytes = buffer.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE);
        Duration at = Duration.ofNanos(System.nanoTime() - start);
        Capture capture = channel == Channel.STDOUT ? stdout : stderr;
        long offset = capture.total();
        synchronized (capture) {
            capture.add(bytes);
        }
        int shown = (int) Math.min(size, policy.limits().output().count() - offset);
        if (shown > 0) {
            timeline.add(new Chunk.Mark(channel, at, offset, shown));
            hand(new Chunk(channel, at, shown == size ? bytes : Arrays.copyOf(bytes, shown)));
        }
        if (capture.overflowed()) {
            overflow(channel);
        }
        return true;
    }

    /** A listener that fails ends the program, since nobody hears it any more. */
    private void hand(Chunk chunk) {
        if (deaf) {
            return;
        }
        try {
            listener.accept(chunk);
        } catch (RuntimeException e) {
            deaf = true;
            stopAside(new Outcome.Cancelled("its listener failed: " + e));
        }
    }

    private void overflow(Channel channel) {
        Bytes limit = policy.limits().output();
        if (policy.outputOverflow() == Policy.OutputOverflow.KILL) {
            stop(new Outcome.LimitHit(Limit.OUTPUT, limit.count(), count(channel)));
        } else {
            press(List.of(new Pressure(Limit.OUTPUT, "more than " + limit + " on " + channel)));
        }
    }

    private Result settle() {
        Output out;
        Output err;
        synchronized (stdout) {
            out = stdout.finish();
        }
        synchronized (stderr) {
            err = stderr.finish();
        }
        List<Connection> connections = body.connections().connections(start);
        press(body.connections().refused().stream().toList());
        press(body.meter().pressure());
        List<Pressure> touched;
        synchronized (pressure) {
            touched = List.copyOf(pressure.values());
        }
        Usage usage =
                new Usage(
                        Duration.ofNanos(end - start),
                        body.meter().cpu(),
                        new Bytes(body.meter().peakMemory()),
                        new Bytes(out.total()),
                        new Bytes(err.total()));
        Outcome how =
                outcome.get() == null ? new Outcome.Unknown("the end was not seen") : outcome.get();
        Receipt receipt = evidence().receipt(out, err);
        ResultFiles files = body.outputs(program);
        return new Result(
                how,
                out,
                err,
                timeline.kept(out, err),
                usage,
                touched,
                connections,
                files.taken(),
                files.refused(),
                receipt);
    }
}
