package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** The jail holds every limit. */
final class JailLimitsTest extends LimitsKit {

    @Override
    protected Tier tier() {
        return JailPromises.JAIL;
    }

    @Override
    protected Map<Promise, String> notPromised() {
        return JailPromises.missing();
    }
}
