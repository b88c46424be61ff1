package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.conformance.Behind;
import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import java.time.Duration;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every tier must do, in virtual machines: the part that is quick enough for each build. */
@Behind(MicrovmWall.class)
@ExtendWith(FewOfEach.class)
final class MicrovmConformanceTest {

    @Nested
    final class Contract extends ContractKit {}

    @Nested
    final class Receipts extends ReceiptKit {
        /** One test looks for its program on the host until the wall time is over. */
        @Override
        protected Policy policy() {
            return super.policy().wall(Duration.ofSeconds(8));
        }
    }
}
