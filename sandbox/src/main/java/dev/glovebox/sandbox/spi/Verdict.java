package dev.glovebox.sandbox.spi;

import dev.glovebox.sandbox.Outcome;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** How a command ends, which several may find out at once: who says it first has said it. */
public final class Verdict {

    private record Said(Outcome outcome, long at) {}

    private final long start = System.nanoTime();
    private final AtomicReference<@Nullable Said> said = new AtomicReference<>();

    /** Decides the outcome, unless it is decided; true if it was not. */
    public boolean decide(Outcome outcome) {
        return said.compareAndSet(null, new Said(outcome, System.nanoTime()));
    }

    public boolean isDecided() {
        return said.get() != null;
    }

    public Outcome outcome() {
        Said known = said.get();
        return known == null ? new Outcome.Unknown("the end was not seen") : known.outcome();
    }

    /** When it began, by {@link System#nanoTime}. */
    public long start() {
        return start;
    }

    /** How long ago it began. */
    public Duration elapsed() {
        return since(System.nanoTime());
    }

    /** How long it took until its outcome was decided. */
    public Duration took() {
        Said known = said.get();
        return known == null ? elapsed() : since(known.at());
    }

    /** Never nothing: whoever divides by it should not have to think of that. */
    private Duration since(long moment) {
        return Duration.ofNanos(Math.max(1, moment - start));
    }
}
