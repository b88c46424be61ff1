package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import java.lang.management.ManagementFactory;

/**
 * How large a machine is. There are few sizes, so that boxes of about the same size start from the
 * same snapshot; what a box may use of it is bounded inside.
 */
record Shape(int mebibytes, int processors) {

    private static final int SMALLEST = 512;
    // The kernel with its tables, the agent, and what the host writes into the scratch.
    private static final long OWN = 160L << 20;
    private static final int MOST_PROCESSORS = 64;

    static Shape of(Limits limits) {
        long wanted = (limits.memory().count() + limits.disk().count() + OWN) >> 20;
        long size = SMALLEST;
        while (size < wanted) {
            size *= 2;
        }
        long host = memory() >> 20;
        if (size > host) {
            throw new NotEnforceable(
                    "memory",
                    "the policy asks for a machine of "
                            + size
                            + " MiB, and this host has "
                            + host
                            + " MiB");
        }
        int most = Math.min(MOST_PROCESSORS, Runtime.getRuntime().availableProcessors());
        return new Shape((int) size, (int) Math.clamp(Math.ceil(limits.cpus()), 1, most));
    }

    private static long memory() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof com.sun.management.OperatingSystemMXBean system
                ? system.getTotalMemorySize()
                : Long.MAX_VALUE;
    }
}
