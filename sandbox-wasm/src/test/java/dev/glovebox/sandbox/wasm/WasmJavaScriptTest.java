package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.conformance.HostileJavaScriptKit;
import dev.glovebox.sandbox.conformance.JavaScriptHygieneKit;
import dev.glovebox.sandbox.conformance.JavaScriptKit;
import dev.glovebox.sandbox.conformance.Promise;
import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;
import org.junit.jupiter.api.Nested;

/** JavaScript in the wasm tier. */
final class WasmJavaScriptTest {

    @Nested
    final class Contract extends JavaScriptKit {
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
    final class Hostile extends HostileJavaScriptKit {
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
    final class Hygiene extends JavaScriptHygieneKit {
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
