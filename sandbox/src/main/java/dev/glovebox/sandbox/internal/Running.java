package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.spi.Hearing;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Streams;
import dev.glovebox.sandbox.spi.Touched;
import dev.glovebox.sandbox.spi.Verdict;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
    private final Hearing hearing;
    private final StdinPipe stdin;
    private final Touched touched = new Touched();
    private final Verdict verdict = new Verdict();
    private final CountDownLatch decided = new CountDownLatch(1);
    // Open while somebody kills because of the outcome: what is started next must not be hit.
    private final CountDownLatch killed = new CountDownLatch(1);
    private final CountDownLatch pumped = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Object settling = new Object();
    private @Nullable Evidence evidence;
    private @Nullable Result result;

    Running(Box box, Body body, Program program, Consumer<Chunk> listener) {
        this.box = box;
        this.body = body;
        this.program = program;
        this.policy = box.policy();
        hearing = new Hearing(policy, listener, touched, this::stop);
        stdin =
                new StdinPipe(
                        body.stdin(), program.stdin().orElse(new byte[0]), verdict::isDecided);
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
    void stop(Outcome how) {
        if (decide(how)) {
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
    boolean decide(Outcome how) {
        return verdict.decide(how);
    }

    /** Says that the killing is over that was due to the outcome. */
    void killed() {
        killed.countDown();
        decided.countDown();
    }

    /** Takes note of an end that needs no killing, unless the outcome is decided. */
    private void ended(Outcome how) {
        if (decide(how)) {
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
        if (verdict.elapsed().compareTo(limits.wall()) >= 0) {
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
            body.meter().pressure().forEach(touched::add);
            body.meter().crowding().forEach(touched::add);
        }
    }

    /** Killing may take a moment that the other commands' limits cannot wait for. */
    private void stopAside(Outcome how) {
        Thread.ofVirtual().start(() -> stop(how));
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
        long most = fd < 0 ? 0 : hearing.total(channel) + Kernel.pipeSize(fd);
        while (hearing.total(channel) < most
                && Kernel.ready(fd, Kernel.POLLIN, 0)
                && take(channel, fd, buffer)) {
            // Taken.
        }
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
        hearing.take(channel, verdict.elapsed(), bytes);
        return true;
    }

    private Result settle() {
        Streams.Kept kept = hearing.finish();
        List<Connection> connections = body.connections().connections(verdict.start());
        body.connections().refused().ifPresent(touched::add);
        body.meter().pressure().forEach(touched::add);
        Receipt receipt = evidence().receipt(kept.stdout(), kept.stderr());
        ResultFiles files = body.outputs(program);
        return new Result(
                verdict.outcome(),
                kept.stdout(),
                kept.stderr(),
                kept.timeline(),
                kept.usage(verdict.took(), body.meter().cpu(), body.meter().peakMemory()),
                touched.all(),
                connections,
                files.taken(),
                files.refused(),
                receipt);
    }
}
