package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.spi.Hearing;
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Streams;
import dev.glovebox.sandbox.spi.Touched;
import dev.glovebox.sandbox.spi.Verdict;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
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
    private final Holder holder;
    private final Gauge gauge;
    private final Stdin stdin;
    private final int number;
    private final Hearing hearing;
    private final Touched touched = new Touched();
    private final Verdict verdict = new Verdict();
    private final BlockingQueue<Frame> queue = new LinkedBlockingQueue<>();
    private final CountDownLatch decided = new CountDownLatch(1);
    private final CountDownLatch pumped = new CountDownLatch(1);
    private final CountDownLatch killed = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final Object settling = new Object();
    private volatile long queued;
    private volatile String lostReason = "";
    private volatile String rlimits = "";
    private @Nullable Result result;

    Command(ContainerBox box, Program program, Launch launch, Consumer<Chunk> listener) {
        this.box = box;
        this.program = program;
        this.launch = launch;
        policy = box.policy();
        holder = box.holder();
        gauge = new Gauge(policy.limits(), box.facts());
        hearing = new Hearing(policy, listener, touched, this::stop);
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
    void stop(Outcome how) {
        if (decide(how)) {
            try {
                box.killFor(this);
            } finally {
                killed();
            }
        }
    }

    private void stopAside(Outcome how) {
        if (!verdict.isDecided()) {
            Thread.ofVirtual().start(() -> stop(how));
        }
    }

    /** Decides the outcome, unless it is decided; who did kills, and says so by {@link #killed}. */
    boolean decide(Outcome how) {
        boolean first = verdict.decide(how);
        if (first) {
            stdin.end();
        }
        return first;
    }

    void killed() {
        killed.countDown();
        decided.countDown();
    }

    private void ended(Outcome how) {
        if (decide(how)) {
            killed.countDown();
        }
    }

    /** Looks at the time; called every few milliseconds. */
    void tick() {
        if (verdict.elapsed().compareTo(policy.limits().wall()) >= 0) {
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
        gauge.pressure(reading).forEach(touched::add);
    }

    @Override
    public void lost(String reason) {
        lostReason = reason;
        queue.add(LOST);
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
        gauge.pressure(last).forEach(touched::add);
        return gauge.outOfMemory(last)
                .or(() -> gauge.tooManyFiles(last))
                .orElseGet(() -> gauge.natural(ByteBuffer.wrap(content).getInt(), last));
    }

    private void take(Channel channel, char kind, byte[] bytes) {
        hearing.take(channel, verdict.elapsed(), bytes);
        holder.say(kind, number, ByteBuffer.allocate(4).putInt(bytes.length).array());
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
        Streams.Kept kept = hearing.finish();
        ResultFiles files = box.outputs(program);
        return new Result(
                verdict.outcome(),
                kept.stdout(),
                kept.stderr(),
                kept.timeline(),
                kept.usage(verdict.took(), gauge.cpu(), gauge.peak()),
                touched.all(),
                List.of(),
                files.taken(),
                files.refused(),
                box.receipt(
                        program,
                        launch,
                        Rlimits.of(rlimits, policy.limits()),
                        kept.stdout(),
                        kept.stderr()));
    }
}
