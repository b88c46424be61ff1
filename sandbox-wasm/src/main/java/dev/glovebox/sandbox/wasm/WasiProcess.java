package dev.glovebox.sandbox.wasm;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Arguments, environment, clocks, randomness, waiting and the end. */
final class WasiProcess {

    /** Finer clocks measure what other programs of the machine do. */
    static final long TICK_NANOS = 1_000_000;

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MOST_EVENTS = 1024;
    private static final int SUBSCRIPTION = 48;
    private static final int EVENT = 32;
    private static final int CLOCK = 0;
    private static final int READ = 1;
    private static final int ABSOLUTE = 1;

    /** What a program waits for. */
    private record Subscription(long token, int kind, int descriptor, long nanos) {}

    private final Guest guest;

    WasiProcess(Guest guest) {
        this.guest = guest;
    }

    void define(Wasi wasi) {
        wasi.define("args_get", "ii", (m, a) -> put(m, arguments(), a));
        wasi.define("args_sizes_get", "ii", (m, a) -> measure(m, arguments(), a));
        wasi.define("environ_get", "ii", (m, a) -> put(m, environment(), a));
        wasi.define("environ_sizes_get", "ii", (m, a) -> measure(m, environment(), a));
        wasi.define("clock_res_get", "ii", (m, a) -> m.writeLong((int) a[1], TICK_NANOS));
        wasi.define("clock_time_get", "iIi", (m, a) -> m.writeLong((int) a[2], time((int) a[0])));
        wasi.define("random_get", "ii", WasiProcess::random);
        wasi.define("poll_oneoff", "iiii", this::poll);
        wasi.define("sched_yield", "", (m, a) -> Guest.checkpoint());
        wasi.defineEnd(
                "proc_exit",
                (m, a) -> {
                    throw new Unwinding.Exit((int) a[0]);
                });
        wasi.define(
                "proc_raise",
                "i",
                (m, a) -> {
                    throw Errno.ENOSYS.failure();
                });
    }

    private List<byte[]> arguments() {
        return guest.arguments().stream().map(WasiProcess::cString).toList();
    }

    private List<byte[]> environment() {
        return guest.environment().entrySet().stream()
                .map(entry -> cString(entry.getKey() + "=" + entry.getValue()))
                .toList();
    }

    private static byte[] cString(String text) {
        return (text + "\0").getBytes(StandardCharsets.UTF_8);
    }

    private static void measure(LinearMemory memory, List<byte[]> strings, long[] a) {
        memory.writeI32((int) a[0], strings.size());
        memory.writeI32((int) a[1], strings.stream().mapToInt(one -> one.length).sum());
    }

    private static void put(LinearMemory memory, List<byte[]> strings, long[] a) {
        int pointer = (int) a[0];
        int text = (int) a[1];
        for (byte[] string : strings) {
            memory.writeI32(pointer, text);
            memory.write(text, string);
            pointer += Integer.BYTES;
            text += string.length;
        }
    }

    /** The clocks: the wall's, one that starts with the program, and the processor's. */
    private long time(int clock) {
        long nanos =
                switch (clock) {
                    case 0 -> {
                        Instant now = Instant.now();
                        yield now.getEpochSecond() * 1_000_000_000L + now.getNano();
                    }
                    case 1 -> guest.owner().elapsed().toNanos();
                    case 2, 3 -> guest.owner().cpu().toNanos();
                    default -> throw Errno.EINVAL.failure();
                };
        return nanos - nanos % TICK_NANOS;
    }

    private static void random(LinearMemory memory, long[] a) {
        byte[] piece = new byte[Guest.PIECE];
        int length = (int) a[1];
        for (int done = 0; done < length; done += piece.length) {
            Guest.checkpoint();
            RANDOM.nextBytes(piece);
            memory.write((int) a[0] + done, piece, 0, Math.min(piece.length, length - done));
        }
    }

    private void poll(LinearMemory memory, long[] a) {
        int count = (int) a[2];
        if (count < 1 || count > MOST_EVENTS) {
            throw Errno.EINVAL.failure();
        }
        List<Subscription> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wanted.add(subscription(memory, (int) a[0] + i * SUBSCRIPTION));
        }
        long start = System.nanoTime();
        long patience = wanted.stream().mapToLong(Subscription::nanos).min().orElseThrow();
        boolean input = wanted.stream().anyMatch(this::standardInput);
        if (input || patience < Long.MAX_VALUE) {
            guest.processors()
                    .without(() -> {
                        if (input) {
                            return guest.inlet().awaitReadable(patience);
                        }
                        Thread.sleep(patience / 1_000_000, (int) (patience % 1_000_000));
                        return true;
                    });
        }
        long passed = System.nanoTime() - start;
        int events = 0;
        for (Subscription one : wanted) {
            boolean ready =
                    one.kind() == CLOCK
                            ? passed >= one.nanos()
                            : !standardInput(one) || guest.inlet().readable();
            if (ready) {
                event(memory, (int) a[1] + events * EVENT, one);
                events++;
            }
        }
        memory.writeI32((int) a[3], events);
    }

    private boolean standardInput(Subscription one) {
        return one.kind() == READ
                && guest.descriptors().get(one.descriptor()) instanceof Descriptor.Input;
    }

    /** What can be read or written at once has no time to wait. */
    private Subscription subscription(LinearMemory memory, int at) {
        long token = memory.readLong(at);
        int kind = memory.read(at + 8);
        if (kind != CLOCK) {
            int descriptor = memory.readInt(at + 16);
            Subscription one = new Subscription(token, kind, descriptor, Long.MAX_VALUE);
            return standardInput(one) ? one : new Subscription(token, kind, descriptor, 0);
        }
        long nanos = memory.readLong(at + 24);
        if ((memory.readShort(at + 40) & ABSOLUTE) != 0) {
            nanos -= time(memory.readInt(at + 16));
        }
        // A time of 64 bits without a sign: what looks negative is far away.
        boolean relative = (memory.readShort(at + 40) & ABSOLUTE) == 0;
        return new Subscription(
                token, kind, -1, nanos < 0 ? (relative ? Long.MAX_VALUE / 2 : 0) : nanos);
    }

    private static void event(LinearMemory memory, int at, Subscription one) {
        memory.writeLong(at, one.token());
        memory.writeShort(at + 8, (short) 0);
        memory.writeByte(at + 10, (byte) one.kind());
        memory.writeLong(at + 16, one.kind() == CLOCK ? 0 : Guest.PIECE);
        memory.writeShort(at + 24, (short) 0);
    }
}
