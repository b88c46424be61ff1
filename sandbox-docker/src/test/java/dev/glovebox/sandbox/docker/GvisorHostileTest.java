package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileResourcesKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import org.junit.jupiter.api.Nested;

/** Hostile programs on gVisor. */
@Behind(Walls.Gvisor.class)
final class GvisorHostileTest {

    @Nested
    final class Network extends HostileNetworkKit {}

    @Nested
    final class Sight extends HostileSightKit {}

    @Nested
    final class Resources extends HostileResourcesKit {}
}
