package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.DiskRateKit;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileResourcesKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** What every tier must do, on gVisor: the part that is quick enough for each build. */
final class GvisorConformanceTest {

    @Nested
    final class Contract extends ContractKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Receipts extends ReceiptKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Network extends HostileNetworkKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Sight extends HostileSightKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class Resources extends HostileResourcesKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }

    @Nested
    final class DiskRate extends DiskRateKit {
        @Override
        protected Tier tier() {
            return TestEngine.GVISOR;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.GVISOR;
        }
    }
}
