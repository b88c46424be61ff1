package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Usage;
import dev.glovebox.sandbox.spi.Capture;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Timeline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A command in flight: hands out its bytes, holds it to its limits and says how it ended.
 *
 * <p>Whoever decides the outcome first has decided it. The thread that hears the holder only puts
 * things into a queue; another one hands them to the listener, and grants the holder room for more
 * when the listener is done.
 */
final class Command implements Execution, Holder.Ear {

    private static final long AFTER_KILL_MILLIS = 100;
    // What the holder may send ahead of what was heard, and some more for what is on its way.
    private static final long MOST_QUEUED = 4L << 20;
    private static final Frame LOST = new Frame('!', 0, new byte[0]);

    private final ContainerBox box;
    private final Program program;
    private final Launch launch;
    private final Policy policy;
    private final Consumer<Chunk> listener;
    private final Holder holder;
    private final Gauge gauge;
    private final Stdin stdin;
    private final int number;
    private final Capture stdout;
    private final Capture stderr;
    private final Timeline timeline = new Timeline();
    private final Map<Limit, Pressure> pressure = new EnumMap<>(Limit.class);
    private final BlockingQueue<Frame> queue = new LinkedBlockingQueue<>();
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final CountDownLatch decided = new CountDownLatch(1);
    private final CountDownLatch pumped = new CountDownLatch(1);
    private final CountDownLatch killed = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Object settling = new Object();
    private final long start = System.nanoTime();
    private volatile long end;
    private volatile long queued;
    private volatile String lostReason = "";
    private volatile String rlimits = "";
    private @Nullable Result result;
    private boolean deaf;

    Command(ContainerBox box, Program program, Launch launch, Consumer<Chunk> listener) {
        this.box = box;
        this.program = program;
        this.launch = launch;
        this.listener = listener;
        policy = box.policy();
        holder = box.holder();
        gauge = new Gauge(policy.limits(), box.facts());
        stdout = new Capture(policy.limits().output().count());
        stderr = new Capture(policy.limits().output().count());
        number = holder.enter(this);
        stdin = new Stdin(holder, number);
    }

    void begin() {
        holder.say('r', number, launch.order());
        Thread.ofPlatform().daemon().name("glovebox-pump").start(this::pump);
        program.stdin().ifPresent(this::feed);
        Clock.watch(this);
    }

    private void feed(byte[] all) {
        Thread.ofVirtual()
                .start(() -> {
                    try (stdin) {
                        stdin.write(all);
                    } catch (IOException e) {
                        // It did not want all of it.
                    }
                });
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

    private void stopAside(Outcome verdict) {
        if (outcome.get() == null) {
            Thread.ofVirtual().start(() -> stop(verdict));
        }
    }

    /** Decides the outcome, unless it is decided; who did kills, and says so by {@link #killed}. */
    boolean decide(Outcome verdict) {
        boolean first = outcome.compareAndSet(null, verdict);
        if (first) {
            end = System.nanoTime();
            stdin.end();
        }
        return first;
    }

    void killed() {
        killed.countDown();
        decided.countDown();
    }

    private void ended(Outcome verdict) {
        if (decide(verdict)) {
            killed.countDown();
        }
    }

    /** Looks at the time; called every few milliseconds. */
    void tick() {
        if (System.nanoTime() - start >= policy.limits().wall().toNanos()) {
            stopAside(new Outcome.TimedOut(policy.limits().wall()));
        }
    }

    @Override
    public Result await() throws InterruptedException {
        decided.await();
        pumped.await(AFTER_KILL_MILLIS, TimeUnit.MILLISECONDS);
        return settled();
    }

    void awaitRelease() {
        Uninterrupted.await(released, Duration.ofSeconds(1));
    }

    // What the holder says

    @Override
    public void hear(Frame frame) {
        switch (frame.kind()) {
            case 'i' -> {
                if (frame.content().length == Integer.BYTES) {
                    stdin.taken(ByteBuffer.wrap(frame.content()).getInt());
                }
            }
            case 'c' -> stdin.end();
            case 's' -> begun(frame.content());
            default -> {
                synchronized (queue) {
                    queued += frame.content().length;
                }
                queue.add(frame);
                if (queued > MOST_QUEUED) {
                    box.kill();
                }
            }
        }
    }

    @Override
    public void measured(Reading reading) {
        gauge.excess(reading).ifPresent(this::stopAside);
        press(gauge.pressure(reading));
    }

    @Override
    public void lost(String reason) {
        lostReason = reason;
        queue.add(LOST);
    }

    private void press(List<Pressure> found) {
        synchronized (pressure) {
            found.forEach(one -> pressure.putIfAbsent(one.limit(), one));
        }
    }

    private void pump() {
        try {
            for (boolean over = false; !over; ) {
                over = take(queue.take());
            }
        } catch (InterruptedException e) {
            ended(new Outcome.Unknown("its end was not seen"));
        } finally {
            finish();
        }
    }

    /** Deals with what came; true if nothing more will. */
    private boolean take(Frame frame) {
        synchronized (queue) {
            queued -= frame.content().length;
        }
        switch (frame.kind()) {
            case 'o' -> take(Channel.STDOUT, 'o', frame.content());
            case 'e' -> take(Channel.STDERR, 'e', frame.content());
            case 'n' -> {
                ended(launch.notStarted(frame.content()));
                return true;
            }
            case 'x' -> {
                ended(over(frame.content()));
                return true;
            }
            case '!' -> {
                ended(box.lost(lostReason, gauge));
                return true;
            }
            default -> {
                // Not a word that we know.
            }
        }
        return false;
    }

    private void begun(byte[] content) {
        int line = 0;
        while (line < content.length && content[line] != '\n') {
            line++;
        }
        rlimits = new String(content, 0, line, StandardCharsets.ISO_8859_1);
        gauge.begin(
                Reading.parse(
                        Arrays.copyOfRange(
                                content, Math.min(line + 1, content.length), content.length)));
    }

    private Outcome over(byte[] content) {
        if (content.length < Integer.BYTES) {
            return new Outcome.Unknown("its end was told in a way that is not ours");
        }
        Reading last = Reading.parse(Arrays.copyOfRange(content, Integer.BYTES, content.length));
        press(gauge.pressure(last));
        return gauge.outOfMemory(last)
                .or(() -> gauge.tooManyFiles(last))
                .orElseGet(() -> gauge.natural(ByteBuffer.wrap(content).getInt(), last));
    }

    private void take(Channel channel, char kind, byte[] bytes) {
        Duration at = Duration.ofNanos(System.nanoTime() - start);
        Capture capture = channel == Channel.STDOUT ? stdout : stderr;
        long offset;
        synchronized (capture) {
            offset = capture.total();
            capture.add(bytes);
        }
        Bytes limit = policy.limits().output();
        int shown = (int) Math.min(bytes.length, limit.count() - offset);
        if (shown > 0) {
            timeline.add(new Chunk.Mark(channel, at, offset, shown));
            hand(new Chunk(channel, at, Arrays.copyOf(bytes, shown)));
        }
        if (offset + bytes.length > limit.count()) {
            if (policy.outputOverflow() == Policy.OutputOverflow.KILL) {
                stop(new Outcome.LimitHit(Limit.OUTPUT, limit.count(), offset + bytes.length));
            }
            press(List.of(new Pressure(Limit.OUTPUT, "more than " + limit + " on " + channel)));
        }
        holder.say(kind, number, ByteBuffer.allocate(4).putInt(bytes.length).array());
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

    private void finish() {
        try {
            settled();
        } finally {
            pumped.countDown();
            Clock.forget(this);
            Uninterrupted.await(killed);
            decided.countDown();
            stdin.end();
            holder.leave(number);
            box.released(this);
            released.countDown();
        }
    }

    private Result settled() {
        synchronized (settling) {
            if (result == null) {
                result = settle();
            }
            return result;
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
        List<Pressure> touched;
        synchronized (pressure) {
            touched = List.copyOf(pressure.values());
        }
        Outcome how = outcome.get();
        Limits limits = policy.limits();
        ResultFiles files = box.outputs(program);
        return new Result(
                how == null ? new Outcome.Unknown("the end was not seen") : how,
                out,
                err,
                timeline.kept(out, err),
                new Usage(
                        Duration.ofNanos(Math.max(1, end - start)),
                        gauge.cpu(),
                        new Bytes(gauge.peak()),
                        new Bytes(out.total()),
                        new Bytes(err.total())),
                touched,
                List.of(),
                files.taken(),
                files.refused(),
                box.receipt(program, launch, Rlimits.of(rlimits, limits), out, err));
    }
}
