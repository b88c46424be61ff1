package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.glovebox.sandbox.BoxGone;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Frames to and from the agent of a guest: a byte for the kind, four for the length, the body.
 *
 * <p>The attack: a program that took over the guest's kernel says what it likes. The defence: a
 * frame that is too long, of an unknown kind, about nothing that was asked, or more than was asked
 * for, ends the machine; nothing that is said becomes a path or a command of the host, and nobody
 * waits longer than told.
 */
final class Link implements AutoCloseable {

    static final int WINDOW = 256 * 1024;

    // What a frame of output counts for beside its bytes, so that many small ones are no way
    // around.
    static final int FRAME = 64;

    private static final int HEAD = 5;
    private static final int NUMBER = 4;
    private static final String ENDED = "the virtual machine ended";
    private static final int LONGEST = 64 * 1024;
    private static final int PIECE = 32 * 1024;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration PER_MEBIBYTE = Duration.ofSeconds(1);

    /** The other end: a machine, with the channel to its agent. */
    interface Guest extends AutoCloseable {
        SocketChannel agent();

        /** Ends it at once; its channel ends then too. */
        void kill();

        @Override
        void close();
    }

    /** A program that runs in the guest. */
    interface Listener {
        /** Takes what the program wrote; false if it is more than may be under way. */
        boolean output(boolean stderr, byte[] bytes);

        /** Takes note of how much input was read; false if it is more than was written. */
        boolean taken(int bytes);

        void exited(JsonNode how);

        void lost(String why);
    }

    /** The answer to a request, with the data that comes before it. */
    record Answer(JsonNode reply, byte[] data) {}

    private record Pending(
            CompletableFuture<Answer> answer, ByteArrayOutputStream data, long most) {}

    private final ObjectMapper json = new ObjectMapper();
    private final Guest guest;
    private final SocketChannel channel;
    private final AtomicInteger numbers = new AtomicInteger();
    private final Map<Integer, Pending> pending = new ConcurrentHashMap<>();
    private final Map<Integer, Listener> programs = new ConcurrentHashMap<>();
    private long strays;
    private @Nullable String lost;

    Link(Guest guest) {
        this.guest = guest;
        channel = guest.agent();
        Thread.ofVirtual().name("glovebox-vm-link").start(this::listen);
    }

    /** Waits for the first word of an agent that has just started. */
    static void awaitReady(Guest guest, Duration most) throws IOException {
        CompletableFuture<Void> ready = killedAfter(guest, most);
        byte[] expected = "h\0\0\0\nglovebox 1".getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer said = ByteBuffer.allocate(expected.length);
        try {
            fill(guest.agent(), said);
        } finally {
            ready.complete(null);
        }
        if (!said.flip().equals(ByteBuffer.wrap(expected))) {
            throw new IOException("The guest's agent is not the expected one");
        }
    }

    /** Kills a guest unless what is returned is completed in time. */
    static CompletableFuture<Void> killedAfter(Guest guest, Duration most) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        // Aside: killing takes a while, and the thread that tells of time-outs serves everybody.
        var _ =
                done.orTimeout(most.toMillis(), TimeUnit.MILLISECONDS)
                        .exceptionally(late -> {
                            Thread.ofVirtual().name("glovebox-vm-late").start(guest::kill);
                            return null;
                        });
        return done;
    }

    private static void fill(SocketChannel from, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (read(from, buffer) < 0) {
                throw new IOException(ENDED);
            }
        }
    }

    /** A machine that is killed closes its end, or it is reset: by chance. */
    private static int read(SocketChannel from, ByteBuffer buffer) {
        try {
            return from.read(buffer);
        } catch (IOException e) {
            return -1;
        }
    }

    private void listen() {
        String why = ENDED;
        try {
            ByteBuffer head = ByteBuffer.allocate(HEAD);
            while (true) {
                fill(channel, head.clear());
                head.flip();
                char kind = (char) head.get();
                int length = head.getInt();
                if (length < 0 || length > LONGEST) {
                    throw new IOException("the guest sent a frame of " + length + " bytes");
                }
                ByteBuffer body = ByteBuffer.allocate(length);
                fill(channel, body);
                take(kind, body.flip());
            }
        } catch (IOException | RuntimeException e) {
            if (e.getMessage() != null) {
                why = e.getMessage();
            }
        }
        end(why);
    }

    private void end(String why) {
        synchronized (this) {
            lost = why;
        }
        try {
            guest.kill();
        } finally {
            for (Pending one : pending.values()) {
                one.answer().completeExceptionally(new BoxGone("The box is gone: " + why));
            }
            programs.values().forEach(program -> program.lost(why));
        }
    }

    private void take(char kind, ByteBuffer body) throws IOException {
        switch (kind) {
            case 'r' -> {
                JsonNode reply = json.readTree(rest(body));
                Pending asked = pending.remove(reply.path("id").asInt());
                if (asked == null) {
                    throw new IOException("the guest answered what was not asked");
                }
                asked.answer().complete(new Answer(reply, asked.data().toByteArray()));
            }
            case 'd' -> {
                Pending asked = pending.get(number(body));
                if (asked == null || asked.data().size() + body.remaining() > asked.most()) {
                    throw new IOException("the guest sent data that was not asked for");
                }
                asked.data().writeBytes(rest(body));
            }
            case 'o', 'e' -> {
                Listener program = programs.get(number(body));
                if (program == null) {
                    stray(body.remaining());
                } else if (!body.hasRemaining() || !program.output(kind == 'e', rest(body))) {
                    throw new IOException("the guest sent more output than it may");
                }
            }
            case 's' -> {
                Listener program = programs.get(number(body));
                int count = number(body);
                if (program == null) {
                    stray(0);
                } else if (!program.taken(count)) {
                    throw new IOException("the guest read more input than there was");
                }
            }
            case 'x' -> {
                JsonNode how = json.readTree(rest(body));
                Listener program = programs.remove(how.path("id").asInt());
                if (program == null) {
                    stray(0);
                } else {
                    program.exited(how);
                }
            }
            default -> throw new IOException("the guest sent a frame of an unknown kind");
        }
    }

    /** What was under way when a program was given up may still come, and no more. */
    private synchronized void stray(int bytes) throws IOException {
        strays -= FRAME + bytes;
        if (strays < 0) {
            throw new IOException("the guest tells of programs that are over");
        }
    }

    private static int number(ByteBuffer body) throws IOException {
        if (body.remaining() < NUMBER) {
            throw new IOException("the guest sent half a frame");
        }
        return body.getInt();
    }

    private static byte[] rest(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return bytes;
    }

    /** Takes a number for a program, whose output may come before the answer to its start. */
    int register(Listener program) {
        int number = numbers.incrementAndGet();
        programs.put(number, program);
        synchronized (this) {
            strays += 3L * WINDOW;
        }
        return number;
    }

    void forget(int number) {
        programs.remove(number);
    }

    Answer ask(String operation, Map<String, ?> arguments) {
        return ask(numbers.incrementAndGet(), operation, arguments, new byte[0], 0, PATIENCE);
    }

    Answer ask(String operation, Map<String, ?> arguments, Duration within) {
        return ask(numbers.incrementAndGet(), operation, arguments, new byte[0], 0, within);
    }

    /** Asks for something that comes with data of at most this size. */
    Answer fetch(String operation, Map<String, ?> arguments, long most) {
        return ask(numbers.incrementAndGet(), operation, arguments, new byte[0], most, PATIENCE);
    }

    Answer put(String operation, Map<String, ?> arguments, byte[] content) {
        return ask(numbers.incrementAndGet(), operation, arguments, content, 0, PATIENCE);
    }

    /**
     * Asks and waits for the answer.
     *
     * @param within an agent that does not answer in this time is ended with its machine; data in
     *     either direction adds to it
     * @throws BoxGone if the machine is gone, or was ended for that
     */
    Answer ask(
            int number,
            String operation,
            Map<String, ?> arguments,
            byte[] content,
            long most,
            Duration within) {
        Duration allowed = within.plus(time(content.length));
        long start = System.nanoTime();
        Pending asked = new Pending(new CompletableFuture<>(), new ByteArrayOutputStream(), most);
        pending.put(number, asked);
        Map<String, Object> request = new TreeMap<>(arguments);
        request.put("id", number);
        request.put("op", operation);
        CompletableFuture<Void> sent = killedAfter(guest, allowed);
        try {
            synchronized (this) {
                if (lost != null) {
                    throw new BoxGone("The box is gone: " + lost);
                }
            }
            send('c', ByteBuffer.wrap(json.writeValueAsBytes(request)));
            for (int done = 0; done < content.length; done += PIECE) {
                send('d', numbered(number, content, done, Math.min(PIECE, content.length - done)));
            }
            sent.complete(null);
            return await(asked, start, allowed);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        } catch (IOException e) {
            throw new BoxGone("The box is gone: its machine ended", e);
        } finally {
            sent.complete(null);
            pending.remove(number);
        }
    }

    private Answer await(Pending asked, long start, Duration allowed) {
        boolean interrupted = false;
        try {
            while (true) {
                long most = allowed.plus(time(asked.data().size())).toNanos();
                try {
                    return asked.answer()
                            .get(start + most - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof BoxGone gone
                            ? gone
                            : new BoxGone("The box is gone", e);
                } catch (TimeoutException e) {
                    if (allowed.plus(time(asked.data().size())).toNanos() <= most) {
                        guest.kill();
                        throw new BoxGone("The box is gone: its guest did not answer", e);
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Duration time(long bytes) {
        return PER_MEBIBYTE.multipliedBy(bytes >> 20);
    }

    void input(int number, byte[] bytes, int offset, int length) throws IOException {
        send('i', numbered(number, bytes, offset, length));
    }

    /** Says that output was taken, so that more may come. */
    void acknowledge(int number, int count) {
        try {
            send('a', ByteBuffer.allocate(2 * NUMBER).putInt(number).putInt(count).flip());
        } catch (IOException e) {
            // The machine is gone, which the listener hears.
        }
    }

    private static ByteBuffer numbered(int number, byte[] bytes, int offset, int length) {
        return ByteBuffer.allocate(NUMBER + length)
                .putInt(number)
                .put(bytes, offset, length)
                .flip();
    }

    private void send(char kind, ByteBuffer body) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(HEAD + body.remaining());
        frame.put((byte) kind).putInt(body.remaining()).put(body).flip();
        synchronized (channel) {
            while (frame.hasRemaining()) {
                channel.write(frame);
            }
        }
    }

    @Override
    public void close() {
        guest.close();
    }
}
