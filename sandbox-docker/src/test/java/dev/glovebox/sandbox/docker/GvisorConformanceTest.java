package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.DiskRateKit;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import org.junit.jupiter.api.Nested;

/** What every tier must do, on gVisor: the part that is quick enough for each build. */
@Behind(Walls.Gvisor.class)
final class GvisorConformanceTest {

    @Nested
    final class Contract extends ContractKit {}

    @Nested
    final class Receipts extends ReceiptKit {}

    @Nested
    final class DiskRate extends DiskRateKit {}
}
