package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** What every tier must do, in virtual machines: the part that is quick enough for each build. */
final class MicrovmConformanceTest {

    @Nested
    final class Contract extends ContractKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }

    @Nested
    final class Receipts extends ReceiptKit {
        @Override
        protected Tier tier() {
            return Promises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.NOT;
        }
    }
}
