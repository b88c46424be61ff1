package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.spi.Tier;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every tier must do, in virtual machines: the part that is quick enough for each build. */
@ExtendWith(FewOfEach.class)
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
        /** One test looks for its program on the host until the wall time is over. */
        @Override
        protected Policy policy() {
            return super.policy().wall(Duration.ofSeconds(8));
        }

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
