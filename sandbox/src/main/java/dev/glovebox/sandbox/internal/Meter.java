package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Pressure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads what a running command uses, and compares it with its limits. */
interface Meter {

    /** Processor time so far. */
    Duration cpu();

    /** The most memory seen so far, in bytes. */
    long peakMemory();

    /** The limit that is exceeded and that the kernel does not enforce by itself, if any. */
    Optional<Outcome> excess();

    /** Limits that were touched, as far as the kernel keeps account of it. */
    List<Pressure> pressure();

    /** Limits that are touched at this moment, found by looking at every process. */
    List<Pressure> crowding();
}
