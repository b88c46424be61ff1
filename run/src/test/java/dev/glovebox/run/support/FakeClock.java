package dev.glovebox.run.support;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that stands still until it is told to go on. */
public final class FakeClock extends Clock {

    private volatile Instant now;

    public FakeClock(Instant now) {
        this.now = now;
    }

    public static FakeClock atNoon() {
        return new FakeClock(Instant.parse("2026-01-01T12:00:00Z"));
    }

    public synchronized void advance(Duration time) {
        now = now.plus(time);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("This clock knows no other zone");
    }
}
