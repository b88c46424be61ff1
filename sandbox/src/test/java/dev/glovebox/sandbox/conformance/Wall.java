package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** What kits are run against: a tier, and what it does not promise. */
public interface Wall {

    /** Always the same one; a test is skipped where this says that there is none. */
    Tier tier();

    /** What the tier does not promise, each with the reason. */
    default Map<Promise, String> notPromised() {
        return Map.of();
    }

    /** How many connections to whoever makes its boxes are kept open for the next question. */
    default int keptConnections() {
        return 0;
    }
}
