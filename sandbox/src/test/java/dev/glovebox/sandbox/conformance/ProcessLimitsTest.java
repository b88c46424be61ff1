package dev.glovebox.sandbox.conformance;

import dev.glovebox.sandbox.spi.Tier;
import java.util.Map;

/** The process tier holds its limits by looking every 20 ms, which is little to promise. */
final class ProcessLimitsTest extends LimitsKit {

    @Override
    protected Tier tier() {
        return tierNamed("process");
    }

    @Override
    protected Map<Promise, String> notPromised() {
        return Map.of(
                Promise.EGRESS_GATED,
                "nothing stands between its programs and the network",
                Promise.TREE_MEMORY,
                "it has no cgroup, and adds up the memory of the processes it finds",
                Promise.HARD_DISK,
                "its scratch is a folder of the host's disk, and its size is looked at",
                Promise.HARD_PROCESSES,
                "its user is the caller's own, whose other processes would count as well");
    }
}
