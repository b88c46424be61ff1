package dev.glovebox.bench;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A thread that writes records while the agent goes on. */
@State(Scope.Benchmark)
public class Clerk {

    // It may be so many runs behind.
    private final BlockingQueue<KnownRecord> orders = new ArrayBlockingQueue<>(4);
    private @Nullable Thread thread;

    @Setup(Level.Trial)
    public void start() {
        thread = Thread.ofPlatform().daemon().start(this::write);
    }

    private void write() {
        try {
            while (true) {
                orders.take().write();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void order(KnownRecord record) throws InterruptedException {
        orders.put(record);
    }

    @TearDown(Level.Trial)
    public void stop() {
        if (thread != null) {
            thread.interrupt();
        }
    }
}
