package dev.glovebox.agent;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.Supplier;

/** What is passed on to a program while it runs. */
public final class StandardInput {

    /** In bytes; as much as is kept of an output, unless a policy says otherwise. */
    static final int KEPT = 1 << 20;

    private static final int BUFFER = 64 * 1024;

    private final Supplier<InputStream> source;

    private StandardInput(Supplier<InputStream> source) {
        this.source = source;
    }

    /** Nothing. */
    public static StandardInput none() {
        return of(new byte[0]);
    }

    static StandardInput of(byte[] all) {
        return new StandardInput(() -> new ByteArrayInputStream(all));
    }

    /** What was passed on in an execution that is on record, if all of it is. */
    static StandardInput recorded(Executed executed) {
        return executed.stdin().length == executed.stdinBytes()
                ? of(executed.stdin())
                : new StandardInput(() -> {
                    throw new IllegalStateException(
                            "Only the first %,d of %,d bytes of its standard input are on record"
                                    .formatted(executed.stdin().length, executed.stdinBytes()));
                });
    }

    /** What comes from a stream, for as long as there is any; the stream is not closed. */
    public static StandardInput of(InputStream stream) {
        return new StandardInput(() -> stream);
    }

    /** How much was passed on, and the first part of it. */
    static final class Passed {

        private final ByteArrayOutputStream first = new ByteArrayOutputStream();
        private long total;

        private synchronized void add(byte[] buffer, int size) {
            first.write(buffer, 0, Math.min(size, KEPT - first.size()));
            total += size;
        }

        synchronized long total() {
            return total;
        }

        synchronized byte[] first() {
            return first.toByteArray();
        }
    }

    /** Begins to pass it on; that does not keep the JVM alive. */
    Passed passTo(OutputStream stdin) {
        Passed passed = new Passed();
        InputStream in = source.get();
        Thread.ofPlatform().daemon().name("glovebox-stdin").start(() -> copy(in, stdin, passed));
        return passed;
    }

    private static void copy(InputStream in, OutputStream stdin, Passed passed) {
        byte[] buffer = new byte[BUFFER];
        try (stdin) {
            for (int size = in.read(buffer); size >= 0; size = in.read(buffer)) {
                // Before: of what cannot be written, the program may have read a part.
                passed.add(buffer, size);
                stdin.write(buffer, 0, size);
            }
        } catch (IOException e) {
            return; // the program has ended, or takes no input; or ours is closed
        }
    }

    static Passed nothing() {
        return new Passed();
    }
}
