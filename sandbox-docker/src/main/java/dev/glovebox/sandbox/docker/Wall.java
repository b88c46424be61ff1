package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Isolation;
import java.time.Duration;

/** The two walls that containers stand behind. */
enum Wall {
    CONTAINER("container", Isolation.CONTAINER, Duration.ofMillis(400)),
    GVISOR("gvisor", Isolation.GVISOR, Duration.ofSeconds(1));

    private final String tier;
    private final Isolation isolation;
    private final Duration typicalStart;

    Wall(String tier, Isolation isolation, Duration typicalStart) {
        this.tier = tier;
        this.isolation = isolation;
        this.typicalStart = typicalStart;
    }

    String tier() {
        return tier;
    }

    Isolation isolation() {
        return isolation;
    }

    Duration typicalStart() {
        return typicalStart;
    }
}
