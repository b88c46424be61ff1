package dev.glovebox.bench;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A second processor that does nothing but write the record of a run, line by line. The run goes on
 * meanwhile, but what is about to be done is on record before it is done, as an engine has to have
 * it: nobody would know of it otherwise, or that somebody else has the run by then.
 */
final class Scribe implements AutoCloseable {

    // Lines of all runs.
    private final AtomicLong wanted = new AtomicLong();
    private final AtomicLong written = new AtomicLong();
    private final KnownRecord record;
    private final boolean shared;
    private final int[] beforeEffects;
    private volatile boolean stopped;
    private long first;
    private long kept;
    private int effect;

    /**
     * Begins to wait for lines.
     *
     * @param shared whether the run keeps the contents itself while its lines are written, so that
     *     both have something to do
     */
    Scribe(KnownRecord record, boolean shared) {
        this.record = record;
        this.shared = shared;
        this.beforeEffects = record.beforeEffects();
        var _ = Thread.ofPlatform().daemon().start(this::write);
    }

    private void write() {
        long at = 0;
        while (!stopped) {
            if (at < wanted.getAcquire()) {
                var _ = shared ? record.chainNext() : record.next();
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
        order(goal);
        while (written.getAcquire() < goal) {
            Thread.onSpinWait();
        }
    }

    /** Has the rest of the run be written; nobody waits for that. */
    void end() {
        first += record.size();
        effect = 0;
        order(first);
    }

    private void order(long goal) {
        wanted.setRelease(goal);
        for (; shared && kept < goal; kept++) {
            var _ = record.keepNext();
        }
    }

    /** How many lines there are. */
    long written() {
        return written.getAcquire();
    }

    @Override
    public void close() {
        stopped = true;
    }
}
