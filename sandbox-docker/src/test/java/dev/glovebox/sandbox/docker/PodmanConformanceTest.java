package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import org.junit.jupiter.api.Nested;

/** What every tier must do, on Podman: the part that is quick enough for each build. */
@Behind(Walls.Podman.class)
final class PodmanConformanceTest {

    @Nested
    final class Network extends HostileNetworkKit {}
}
