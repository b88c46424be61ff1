package dev.glovebox.sandbox.conformance;

import org.junit.jupiter.api.Nested;

/** Hostile programs in the jail, which promises to hold all of them. */
@Behind(JailWall.class)
final class JailHostileTest {

    @Nested
    final class Holder extends HostileHolderKit {}

    @Nested
    final class Kernel extends HostileKernelKit {}

    @Nested
    final class Network extends HostileNetworkKit {}

    @Nested
    final class Resources extends HostileResourcesKit {}

    @Nested
    final class Sight extends HostileSightKit {}

    @Nested
    final class Egress extends HostileEgressKit {}
}
