package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** What every tier must do, on Podman: the part that is quick enough for each build. */
final class PodmanConformanceTest {

    @Nested
    final class Contract extends ContractKit {
        @Override
        protected Tier tier() {
            return TestPodman.tier();
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Receipts extends ReceiptKit {
        @Override
        protected Tier tier() {
            return TestPodman.tier();
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Network extends HostileNetworkKit {
        @Override
        protected Tier tier() {
            return TestPodman.tier();
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Sight extends HostileSightKit {
        @Override
        protected Tier tier() {
            return TestPodman.tier();
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }
}
