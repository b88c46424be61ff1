package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** The jail holds writing to disks by a cgroup. */
final class JailDiskRateTest extends DiskRateKit {

    @Override
    protected Tier tier() {
        return JailPromises.JAIL;
    }

    @Override
    protected Map<Promise, String> notPromised() {
        return JailPromises.missing();
    }
}
