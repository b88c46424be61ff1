package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** JavaScript on node in the jail. */
final class JailJavaScriptTest {

    private static final Tier TIER = JailPromises.JAIL;

    @Nested
    final class Contract extends JavaScriptKit {
        @Override
        protected Tier tier() {
            return TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Hostile extends HostileJavaScriptKit {
        @Override
        protected Tier tier() {
            return TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }

    @Nested
    final class Hygiene extends JavaScriptHygieneKit {
        @Override
        protected Tier tier() {
            return TIER;
        }

        @Override
        protected Map<Promise, String> notPromised() {
            return JailPromises.missing();
        }
    }
}
