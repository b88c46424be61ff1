package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.spi.Throttle;
import java.util.Optional;

/**
 * What is held to a rate of writing to disks as long as it lives. A process that waits for a disk
 * is not ended by any signal: what has to end waits for no rate.
 */
record Throttled(Vessel vessel, Throttle throttle) implements Vessel {

    static Vessel around(Vessel vessel, Optional<Throttle> throttle) {
        return throttle.<Vessel>map(rates -> new Throttled(vessel, rates)).orElse(vessel);
    }

    @Override
    public Line line() {
        return vessel.line();
    }

    @Override
    public void kill() {
        throttle.lift();
        vessel.kill();
    }

    @Override
    public void remove() {
        throttle.lift();
        vessel.remove();
    }

    @Override
    public boolean outOfMemory() {
        return vessel.outOfMemory();
    }
}
