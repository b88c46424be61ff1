package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.BoxGone;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Our side of the talk with the one process of ours in a box.
 *
 * <p>One thread hears; it never waits for anybody, so that a listener that blocks holds up only its
 * own command. Where a program took the place of the holder, all that comes is that program's own:
 * it can lie about itself and end its box, no more.
 */
final class Holder implements AutoCloseable {

    /** Who is told what comes for a command. */
    interface Ear {
        void hear(Frame frame);

        void measured(Reading reading);

        /** The holder is gone, and nothing will come any more. */
        void lost(String reason);
    }

    private static final Duration ANSWER = Duration.ofSeconds(10);

    private static final class Request {
        final ByteArrayOutputStream answer = new ByteArrayOutputStream();
        final CompletableFuture<String> done = new CompletableFuture<>();
    }

    private final Line line;
    private final long largestAnswer;
    private final OutputStream out;
    private final Map<Integer, Ear> ears = new ConcurrentHashMap<>();
    private final Map<Integer, Request> requests = new ConcurrentHashMap<>();
    private final AtomicInteger numbers = new AtomicInteger();
    private final CompletableFuture<Facts> greeting = new CompletableFuture<>();
    private final CompletableFuture<String> end = new CompletableFuture<>();
    private volatile Reading latest = Reading.NONE;

    /**
     * Starts to listen.
     *
     * @param largestAnswer bytes of the largest file that may be read
     */
    Holder(Line line, long largestAnswer) {
        this.line = line;
        this.largestAnswer = largestAnswer;
        out = line.output();
        Thread.ofPlatform().daemon().name("glovebox-holder").start(this::listen);
        Leases.keep(this);
        // It is silent until then: not every engine lets us listen before it starts.
        say('h', 0, new byte[0]);
    }

    /** What the box looked like before any program ran; empty if nothing came in time. */
    Optional<Facts> greeting(Duration patience) {
        try {
            return Optional.of(greeting.get(patience.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Hands out a number for a command, and sends it all that comes under it. */
    int enter(Ear ear) {
        int number = numbers.incrementAndGet();
        ears.put(number, ear);
        if (end.isDone()) {
            ear.lost(end.join());
        }
        return number;
    }

    void leave(int number) {
        ears.remove(number);
    }

    Reading latest() {
        return latest;
    }

    boolean gone() {
        return end.isDone();
    }

    /** Says something; where the holder is gone, nobody hears it. */
    void say(char kind, int number, byte[] content) {
        byte[] bytes = new Frame(kind, number, content).bytes();
        synchronized (out) {
            try {
                out.write(bytes);
                out.flush();
            } catch (IOException e) {
                lost("the way to the box is broken: " + e.getMessage());
            }
        }
    }

    /**
     * Asks something of the scratch.
     *
     * @param refused makes an exception of the holder's word of refusal
     * @throws BoxGone if the holder is gone or does not answer
     */
    <E extends RuntimeException> byte[] ask(byte[] question, Function<String, E> refused) {
        int number = numbers.incrementAndGet();
        Request request = new Request();
        requests.put(number, request);
        try {
            if (end.isDone()) {
                throw new BoxGone("The box is gone: " + end.join());
            }
            say('q', number, question);
            String word = request.done.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            if (!word.isEmpty()) {
                throw refused.apply(word);
            }
            return request.answer.toByteArray();
        } catch (TimeoutException e) {
            throw new BoxGone("The box does not answer any more", e);
        } catch (ExecutionException e) {
            throw new BoxGone("The box is gone: " + end.getNow("it broke off"), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BoxGone("Interrupted while waiting for the box", e);
        } finally {
            requests.remove(number);
        }
    }

    /** Kills everything in the box but the holder; false if that was not confirmed in time. */
    boolean clear(Duration patience) {
        int number = numbers.incrementAndGet();
        Request request = new Request();
        requests.put(number, request);
        try {
            say('k', number, new byte[0]);
            return request.done.get(patience.toMillis(), TimeUnit.MILLISECONDS).equals("0");
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            requests.remove(number);
        }
    }

    private void listen() {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(line.input(), 1 << 16))) {
            while (true) {
                hear(Frame.read(in));
            }
        } catch (IOException | RuntimeException e) {
            lost("something in the box killed the process that held it, or its engine is gone");
        }
    }

    private void hear(Frame frame) {
        switch (frame.kind()) {
            case 'h' -> greeting.complete(Facts.parse(frame.content()));
            case 'm' -> measured(frame.content());
            case 'd' -> answer(frame);
            case 'f', 'k' -> {
                Request request = requests.get(frame.number());
                if (request != null) {
                    request.done.complete(new String(frame.content(), StandardCharsets.ISO_8859_1));
                }
            }
            default -> {
                Ear ear = ears.get(frame.number());
                if (ear != null) {
                    ear.hear(frame);
                }
            }
        }
    }

    private void measured(byte[] text) {
        Reading reading = Reading.parse(text);
        latest = reading;
        ears.values().forEach(ear -> ear.measured(reading));
    }

    private void answer(Frame frame) {
        Request request = requests.get(frame.number());
        if (request != null) {
            request.answer.writeBytes(frame.content());
            if (request.answer.size() > largestAnswer) {
                request.done.complete("toolarge");
                requests.remove(frame.number());
            }
        }
    }

    private void lost(String reason) {
        if (end.complete(reason)) {
            Leases.drop(this);
            IOException problem = new IOException(reason);
            greeting.completeExceptionally(problem);
            requests.values().forEach(request -> request.done.completeExceptionally(problem));
            ears.values().forEach(ear -> ear.lost(reason));
        }
    }

    /** Waits until the holder is gone. */
    boolean awaitEnd(Duration patience) {
        try {
            end.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Tells the holder to end, with all that runs in the box. */
    void dismiss() {
        say('b', 0, new byte[0]);
    }

    @Override
    public void close() {
        Leases.drop(this);
        line.close();
        lost("the box was closed");
    }
}
