package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.HostileKernelKit;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileResourcesKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import org.junit.jupiter.api.Nested;

/** Hostile programs in a container. */
@Behind(Walls.Container.class)
final class ContainerHostileTest {

    @Nested
    final class Kernel extends HostileKernelKit {}

    @Nested
    final class Network extends HostileNetworkKit {}

    @Nested
    final class Resources extends HostileResourcesKit {}

    @Nested
    final class Sight extends HostileSightKit {}
}
