package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import org.junit.jupiter.api.Nested;

/**
 * The kits on a server that behaves, whose boxes are jails of this machine; those that take long
 * are in {@link OpenSandboxSoakTest}.
 */
@Behind(OpenSandboxWall.class)
final class OpenSandboxConformanceTest {

    @Nested
    final class Contract extends ContractKit {}

    @Nested
    final class Receipts extends ReceiptKit {}

    @Nested
    final class Streams extends StreamsKit {}

    @Nested
    final class Files extends FilesKit {}

    @Nested
    final class Limits extends LimitsKit {}
}
