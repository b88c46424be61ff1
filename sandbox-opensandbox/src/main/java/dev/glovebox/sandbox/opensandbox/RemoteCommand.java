package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.JsonNode;
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
import dev.glovebox.sandbox.spi.ResultFiles;
import dev.glovebox.sandbox.spi.Timeline;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A program in flight on the server. Whoever decides the outcome first has decided it; the command
 * is over when the agent says that nothing of it is left, or when the box is given up.
 */
final class RemoteCommand implements Execution {

    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(2);
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration GLANCE = Duration.ofMillis(20);
    private static final int LONGEST_COMPLAINT = 500;

    private final RemoteBox box;
    private final Program program;
    private final String folder;
    private final Consumer<Chunk> listener;
    private final Limits limits;
    private final Inlet inlet;
    private final Spool stdout;
    private final Spool stderr;
    private final Timeline timeline = new Timeline();
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final AtomicBoolean settled = new AtomicBoolean();
    private final CountDownLatch over = new CountDownLatch(1);
    private final List<ScheduledFuture<?>> timers = new ArrayList<>();
    private final StringBuilder complaint = new StringBuilder();
    private volatile Job job = new Job(List.of(), Map.of(), Optional.empty(), "");
    private volatile @Nullable Events events;
    private volatile @Nullable Result result;
    private volatile Ending ending = Ending.NONE;
    private volatile boolean handing;
    private volatile boolean deaf;
    private volatile boolean attempted;
    private volatile boolean started;
    private volatile long sent = System.nanoTime();
    private volatile long start = sent;
    private volatile long end;
    private volatile long heard = System.nanoTime();

    RemoteCommand(
            RemoteBox box,
            Program program,
            String folder,
            Limits limits,
            Consumer<Chunk> listener) {
        this.box = box;
        this.program = program;
        this.folder = folder;
        this.listener = listener;
        this.limits = limits;
        inlet = new Inlet(box.execd(), folder);
        stdout = new Spool(limits.output().count());
        stderr = new Spool(limits.output().count());
    }

    void begin(Job what) {
        job = what;
        Thread.ofVirtual().name("glovebox-opensandbox-command").start(this::live);
    }

    private void timer(ScheduledFuture<?> timer) {
        synchronized (timers) {
            timers.add(timer);
            if (done()) {
                timer.cancel(false);
            }
        }
    }

    private void live() {
        try {
            Map<String, byte[]> files = new LinkedHashMap<>();
            files.put(folder + "/job", job.json(box.scratch(), limits));
            program.stdin()
                    .ifPresent(bytes -> {
                        files.put(folder + "/in.0", bytes);
                        files.put(folder + "/in.1", new byte[0]);
                    });
            box.execd().upload(files, 600);
            if (done()) {
                return;
            }
            sent = System.nanoTime();
            start = sent;
            heard = sent;
            timer(Clockwork.every(Duration.ofSeconds(1), this::listenForLife));
            try (Events stream =
                    new Events(box.execd().command(Agent.command(folder), box.scratch()))) {
                events = stream;
                for (JsonNode event = stream.next();
                        event != null && !done();
                        event = stream.next()) {
                    heard = System.nanoTime();
                    take(event);
                }
            }
            ended(null);
        } catch (ServerTrouble e) {
            ended(e);
        } catch (IOException | RuntimeException e) {
            ended(ServerTrouble.gone(String.valueOf(e.getMessage())));
        }
    }

    private void take(JsonNode event) throws ServerTrouble {
        String text = event.path("text").asText();
        switch (event.path("type").asText()) {
            case "stdout" -> frame(text);
            case "stderr" -> complain(text);
            case "error" -> complain(event.path("error").path("evalue").asText());
            default -> {} // beginnings, ends and signs of life
        }
    }

    private void complain(String text) {
        if (complaint.length() < LONGEST_COMPLAINT) {
            complaint.append(' ').append(text);
        }
    }

    private void frame(String text) throws ServerTrouble {
        char kind = text.isEmpty() ? ' ' : text.charAt(0);
        switch (kind) {
            case 'o' -> output(Channel.STDOUT, bytes(text));
            case 'e' -> output(Channel.STDERR, bytes(text));
            case 'i' -> attempted = true;
            case 's' -> {
                if (!started) {
                    started = true;
                    start = System.nanoTime();
                    timer(
                            Clockwork.after(
                                    limits.wall(),
                                    () -> stop(new Outcome.TimedOut(limits.wall()))));
                }
            }
            case 'a' -> inlet.taken(Ending.number(text.substring(1)));
            case 'c' -> inlet.end();
            case 'O' -> last(stdout, bytes(text));
            case 'E' -> last(stderr, bytes(text));
            case 'q' -> overflow(text.startsWith("qe") ? stderr : stdout, text.substring(1));
            case 'x' -> end(text.substring(1));
            default -> {} // a sign of life
        }
    }

    private static byte[] bytes(String text) throws ServerTrouble {
        try {
            return Base64.getDecoder().decode(text.substring(1));
        } catch (IllegalArgumentException e) {
            throw ServerTrouble.nonsense("output that is not encoded");
        }
    }

    private void output(Channel channel, byte[] bytes) throws ServerTrouble {
        Spool spool = channel == Channel.STDOUT ? stdout : stderr;
        Duration at = elapsed();
        synchronized (this) {
            if (settled.get() || bytes.length == 0) {
                return;
            }
            long offset = spool.received();
            spool.add(bytes);
            timeline.add(new Chunk.Mark(channel, at, offset, bytes.length));
        }
        if (!deaf) {
            tell(new Chunk(channel, at, bytes));
        }
    }

    private synchronized void last(Spool spool, byte[] bytes) throws ServerTrouble {
        spool.addLast(bytes);
    }

    private void overflow(Spool spool, String told) {
        long total = Ending.number(told.isEmpty() ? "" : told.substring(1));
        synchronized (this) {
            spool.sum(total, "");
        }
        if (box.policy().outputOverflow() == Policy.OutputOverflow.KILL) {
            stop(new Outcome.LimitHit(Limit.OUTPUT, limits.output().count(), total));
        }
    }

    private synchronized void end(String told) throws ServerTrouble {
        if (ending.equals(Ending.NONE)) {
            ending = Ending.read(told);
            stdout.sum(ending.out().total(), ending.out().digest());
            stderr.sum(ending.err().total(), ending.err().digest());
            // A server may keep the stream open for ever.
            timer(Clockwork.after(LAST_WORDS, () -> ended(null)));
        }
    }

    private void tell(Chunk chunk) {
        handing = true;
        try {
            listener.accept(chunk);
        } catch (RuntimeException e) {
            deaf = true;
            // It may have left its thread interrupted, and this one has more to hear.
            boolean _ = Thread.interrupted();
            stop(new Outcome.Cancelled("its listener failed: " + e));
        } finally {
            heard = System.nanoTime();
            handing = false;
        }
    }

    private Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** The agent speaks every second; a line that is just dead says nothing at all. */
    private void listenForLife() {
        if (!handing && System.nanoTime() - heard > SILENCE.toNanos()) {
            box.lose("nothing was heard of it for " + SILENCE.toSeconds() + " s");
        } else if (!started && elapsed().compareTo(START) > 0) {
            box.lose("our agent did not start within " + START.toSeconds() + " s");
        }
    }

    @Override
    public OutputStream stdin() {
        return inlet;
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
        Result settledOn = result;
        if (settledOn == null) {
            throw new IllegalStateException("A command that is over has a result");
        }
        return settledOn;
    }

    /** Decides the outcome, unless it is decided, and ends everything in the box. */
    private void stop(Outcome verdict) {
        if (kill(verdict)) {
            box.killOthers(this);
        }
    }

    boolean kill(Outcome verdict) {
        boolean first = decide(verdict);
        if (first) {
            Clockwork.apart(this::bringToEnd);
        }
        return first;
    }

    private boolean decide(Outcome verdict) {
        boolean first = outcome.compareAndSet(null, verdict);
        if (first) {
            end = System.nanoTime();
        }
        return first;
    }

    /** Tells the agent, and gives the box up if that does not help. */
    private void bringToEnd() {
        timer(Clockwork.after(LAST_WORDS, () -> box.lose("a command of it could not be ended")));
        try {
            box.execd().upload(folder + "/kill", new byte[0]);
            while (!over.await(GLANCE.toMillis(), TimeUnit.MILLISECONDS)) {
                // Its last word cannot be heard while a listener is in the way.
                if (handing && agentIsDone()) {
                    settle();
                }
            }
        } catch (IOException | InterruptedException e) {
            box.lose("a command of it could not be ended");
        }
    }

    private boolean agentIsDone() {
        try {
            box.execd().about(folder + "/done");
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Ends without waiting for anybody: the box is no more. */
    void abandon(Outcome verdict) {
        decide(verdict);
        settle();
    }

    private void ended(@Nullable ServerTrouble trouble) {
        if (settled.get()) {
            return; // the stream was closed by ourselves
        }
        if (!ending.equals(Ending.NONE)) {
            decide(ending.outcome(limits));
            settle();
            return;
        }
        if (attempted || started || (trouble != null && trouble.reached() && !trouble.refusal())) {
            String reason =
                    trouble == null
                            ? "its end was not told, and the box is given up"
                            : String.valueOf(trouble.getMessage());
            decide(new Outcome.Unknown(reason));
            box.lose(reason);
        } else {
            decide(
                    new Outcome.NotStarted(
                            trouble == null
                                    ? "the box does not run our agent:"
                                            + ServerTrouble.line(complaint.toString())
                                    : String.valueOf(trouble.getMessage())));
        }
        settle();
    }

    private void settle() {
        if (!settled.compareAndSet(false, true)) {
            return;
        }
        try {
            synchronized (timers) {
                timers.forEach(timer -> timer.cancel(false));
            }
            inlet.end();
            result = result();
        } finally {
            box.released(this);
            over.countDown();
            Events stream = events;
            if (stream != null) {
                try {
                    stream.close();
                } catch (IOException e) {
                    // Nothing more was expected of it.
                }
            }
        }
    }

    /** From the start that was heard of, or as long as the agent says, if that can be. */
    private Duration took() {
        long told = Math.min(ending.took().toNanos(), end - sent);
        return Duration.ofNanos(Math.max(1, Math.max(told, end - start)));
    }

    private Result result() {
        Output out;
        Output err;
        synchronized (this) {
            out = stdout.finish();
            err = stderr.finish();
        }
        List<Pressure> touched = new ArrayList<>(ending.pressure(limits));
        if ((out.truncated() || err.truncated())
                && box.policy().outputOverflow() == Policy.OutputOverflow.TRUNCATE) {
            touched.add(new Pressure(Limit.OUTPUT, "more than " + limits.output()));
        }
        Outcome how = outcome.get();
        ResultFiles files = box.outputs(program);
        return new Result(
                how == null ? new Outcome.Unknown("the end was not seen") : how,
                out,
                err,
                timeline.kept(out, err),
                new Usage(
                        took(),
                        ending.cpu(),
                        new Bytes(ending.memory()),
                        new Bytes(out.total()),
                        new Bytes(err.total())),
                touched,
                List.of(),
                files.taken(),
                files.refused(),
                Receipts.of(box, program, job, out, err));
    }
}
