package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.HostileNetworkKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** What every tier must do, on Podman: the part that is quick enough for each build. */
final class PodmanConformanceTest {

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
}
