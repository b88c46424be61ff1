package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LinkAttackKit;
import dev.glovebox.sandbox.conformance.OddFileAttackKit;
import dev.glovebox.sandbox.conformance.RaceAttackKit;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import org.junit.jupiter.api.Nested;

/** The container tier passes every kit of the contract, these and {@link ContainerLimitsTest}. */
@Behind(Walls.Container.class)
final class ContainerConformanceTest {

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
}
