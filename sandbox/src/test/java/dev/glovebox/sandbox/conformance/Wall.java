package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.time.Duration;
import java.util.Map;

/** What kits are run against: a tier, and what it does not promise. */
public interface Wall {

    /** Always the same one; a test is skipped where this says that there is none. */
    Tier tier();

    /** What the tier does not promise, each with the reason. */
    default Map<Promise, String> notPromised() {
        return Map.of();
    }

    /**
     * Time in which a program in JavaScript at least starts, by the clock and of its processor: the
     * limit of those that never end.
     */
    default Duration javaScriptStart() {
        return ConformanceKit.seconds(2);
    }

    /** How many connections to whoever makes its boxes are kept open for the next question. */
    default int keptConnections() {
        return 0;
    }
}
