package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.spi.Throttle;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The control group around one box: the kernel's own accounting of all its processes. */
sealed interface Cgroup extends AutoCloseable permits CgroupV1, CgroupV2 {

    /** Puts the calling thread's future children into the group, where the kernel can do that. */
    void enter();

    /** Undoes {@link #enter}. */
    void leave();

    /** Puts a process that waits into the group, where {@link #enter} could not. */
    void attach(int pid);

    /** Whether a process is in the group, by the kernel's own account in its {@code /proc}. */
    boolean holds(Path process);

    long cpuNanos();

    /** Bytes in use: program memory and scratch together. */
    long memory();

    /** Bytes in use that are the programs' own, without files. */
    long programMemory();

    long peakMemory();

    /** How many processes the kernel has killed for want of memory. */
    long oomKills();

    /** How many forks the kernel has refused. */
    long refusedForks();

    /** What bounds writing to disks, if the box can write to any and the kernel can do that. */
    Optional<Throttle> throttle();

    /** What is in force, read back from the kernel. */
    List<Control> controls();

    /** Removes the group; its processes must be gone. */
    @Override
    void close();
}
