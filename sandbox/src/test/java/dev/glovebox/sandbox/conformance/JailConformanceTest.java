package dev.glovebox.sandbox.conformance;

import org.junit.jupiter.api.Nested;

/** The jail passes every kit and promises everything. */
@Behind(JailWall.class)
final class JailConformanceTest {

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
    final class Egress extends EgressKit {}
}
