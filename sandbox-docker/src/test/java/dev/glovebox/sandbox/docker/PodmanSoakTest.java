package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.HostileKernelKit;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The rest of the kits on Podman: with {@code ./check --soak} only. */
@Behind(Walls.Podman.class)
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
final class PodmanSoakTest {

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
    final class Hygiene extends HygieneKit {
        @Override
        protected int boxes() {
            return Boxes.MANY;
        }

        @Override
        protected int specialBoxes() {
            return Boxes.MANY;
        }
    }

    @Nested
    final class Limits extends LimitsKit {}

    @Nested
    final class Kernel extends HostileKernelKit {}

    @Nested
    final class Resources extends HostileResourcesKit {}

    @Nested
    final class Contract extends ContractKit {}

    @Nested
    final class Receipts extends ReceiptKit {}

    @Nested
    final class Sight extends HostileSightKit {}
}
