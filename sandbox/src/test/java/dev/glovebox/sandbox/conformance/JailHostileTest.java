package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** Hostile programs in the jail, which promises to hold all of them. */
final class JailHostileTest {

    @Nested
    final class Holder extends HostileHolderKit {
        @Override
        protected Tier tier() {
            return JailPromises.JAIL;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Kernel extends HostileKernelKit {
        @Override
        protected Tier tier() {
            return JailPromises.JAIL;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Network extends HostileNetworkKit {
        @Override
        protected Tier tier() {
            return JailPromises.JAIL;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Resources extends HostileResourcesKit {
        @Override
        protected Tier tier() {
            return JailPromises.JAIL;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Sight extends HostileSightKit {
        @Override
        protected Tier tier() {
            return JailPromises.JAIL;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Egress extends HostileEgressKit {
        @Override
        protected Tier tier() {
            return JailPromises.JAIL;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }
}
