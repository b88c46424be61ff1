package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileResourcesKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import dev.glovebox.sandbox.conformance.HygieneKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.LinkAttackKit;
import dev.glovebox.sandbox.conformance.OddFileAttackKit;
import dev.glovebox.sandbox.conformance.RaceAttackKit;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import org.junit.jupiter.api.Nested;

/** The kits that speak Python and shell: what they ask of any tier holds for wasm as well. */
@Behind(WasmWall.class)
final class WasmConformanceTest {

    @Nested
    final class Contract extends ContractKit {}

    @Nested
    final class Receipts extends ReceiptKit {}

    @Nested
    final class Streams extends StreamsKit {}

    @Nested
    final class Lifetime extends LifetimeKit {}

    @Nested
    final class Files extends FilesKit {}

    @Nested
    final class LinkAttacks extends LinkAttackKit {}

    @Nested
    final class RaceAttacks extends RaceAttackKit {}

    @Nested
    final class OddFileAttacks extends OddFileAttackKit {}

    @Nested
    final class Hygiene extends HygieneKit {}

    @Nested
    final class Limits extends LimitsKit {}

    @Nested
    final class Resources extends HostileResourcesKit {}

    @Nested
    final class Sight extends HostileSightKit {}

    @Nested
    final class Network extends HostileNetworkKit {}
}
