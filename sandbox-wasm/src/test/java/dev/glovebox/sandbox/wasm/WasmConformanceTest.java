package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.conformance.ContractKit;
import dev.glovebox.sandbox.conformance.FileAttackKit;
import dev.glovebox.sandbox.conformance.FilesKit;
import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.HostileResourcesKit;
import dev.glovebox.sandbox.conformance.HostileSightKit;
import dev.glovebox.sandbox.conformance.HygieneKit;
import dev.glovebox.sandbox.conformance.LifetimeKit;
import dev.glovebox.sandbox.conformance.LimitsKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.conformance.ReceiptKit;
import dev.glovebox.sandbox.conformance.StreamsKit;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** The kits that speak Python and shell: what they ask of any tier holds for wasm as well. */
final class WasmConformanceTest {

    @Nested
    final class Contract extends ContractKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Receipts extends ReceiptKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Streams extends StreamsKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Lifetime extends LifetimeKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Files extends FilesKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class FileAttacks extends FileAttackKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Hygiene extends HygieneKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Limits extends LimitsKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Resources extends HostileResourcesKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Sight extends HostileSightKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }

    @Nested
    final class Network extends HostileNetworkKit {
        @Override
        protected Tier tier() {
            return WasmPromises.TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return WasmPromises.MISSING;
        }
    }
}
