package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.conformance.HostileJavaScriptKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** JavaScript in a container: with {@code ./check --soak} only, since node starts slowly. */
@EnabledIfSystemProperty(named = "glovebox.soak", matches = "true")
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
