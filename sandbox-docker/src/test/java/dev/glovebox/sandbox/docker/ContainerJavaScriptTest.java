package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.HostileJavaScriptKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** JavaScript in a container. */
final class ContainerJavaScriptTest {

    @Nested
    final class Contract extends JavaScriptKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }

    @Nested
    final class Hostile extends HostileJavaScriptKit {
        @Override
        protected Tier tier() {
            return TestEngine.CONTAINER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return Promises.CONTAINER;
        }
    }
}
