package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.spi.Disks;
import java.util.List;
import java.util.Locale;

/** What a box's group is told to hold: the policy's limits and what the box itself needs. */
record CgroupLimits(long memory, int processes, double cpus, Disks disks, Bytes diskRate) {

    /** bubblewrap outside, bubblewrap as init, the holder and the command's watcher. */
    static final int OWN_PROCESSES = 4;

    static CgroupLimits of(Policy policy) {
        Limits limits = policy.limits();
        // The scratch is memory to the kernel and is charged to the same group.
        return new CgroupLimits(
                limits.memory().plus(limits.disk()).count(),
                limits.processes() + OWN_PROCESSES,
                limits.cpus(),
                Disks.behind(policy.files()),
                limits.diskRate());
    }

    static List<Control> controls(String version, Bytes memory, long processes, double cpus) {
        return List.of(
                new Control("memory", memory.toString(), "tree, " + version + ", with the scratch"),
                new Control(
                        "processes",
                        Long.toString(processes),
                        version + ", with our " + OWN_PROCESSES),
                new Control("cpus", String.format(Locale.ROOT, "%.2f", cpus), version));
    }
}
