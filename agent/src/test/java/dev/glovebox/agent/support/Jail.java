package dev.glovebox.agent.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;

/** The wall that most tests run programs in. */
public final class Jail {

    private Jail() {}

    /** Passes over a test where it does not work. */
    public static void assumed() {
        assumeTrue(
                Sandboxes.tiers().stream()
                        .anyMatch(tier ->
                                tier.name().equals("jail")
                                        && tier.probe() instanceof Availability.Works),
                "tier 'jail' does not work here");
    }
}
