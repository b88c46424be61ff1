package dev.glovebox.bench;

import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * A second processor that does nothing but write the smallest record of a run, line by line. The
 * run goes on meanwhile, but what is about to be done is on record before it is done, as an engine
 * has to have it: nobody would know of it otherwise, or that somebody else has the run by then.
 */
@State(Scope.Benchmark)
public class Scribe {

    // Lines of all runs.
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private volatile boolean stopped;
    private int[] beforeEffects = {};
    private int size;
    private long first;
    private int effect;

    @Setup(Level.Trial)
    public void start(Evidence evidence) {
        KnownRecord record = evidence.inLeastForm();
        beforeEffects = record.beforeEffects();
        size = record.size();
        var _ = Thread.ofPlatform().daemon().start(() -> write(record));
    }

    private void write(KnownRecord record) {
        long at = 0;
        while (!stopped) {
            if (at < wanted.getAcquire()) {
                var _ = record.next();
                at++;
                written.setRelease(at);
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Has all be written until the next effect, and waits for it. */
    void beforeEffect() {
        long goal = first + beforeEffects[effect];
        effect++;
        wanted.setRelease(goal);
        while (written.getAcquire() < goal) {
            Thread.onSpinWait();
        }
    }

    /** Has the rest of the run be written; nobody waits for that. */
    void end() {
        first += size;
        effect = 0;
        wanted.setRelease(first);
    }

    /** How many lines there are. */
    long written() {
        return written.getAcquire();
    }

    @TearDown(Level.Trial)
    public void stop() {
        stopped = true;
    }
}
