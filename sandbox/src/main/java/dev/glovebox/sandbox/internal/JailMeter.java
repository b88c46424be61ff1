package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Pressure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;

/**
 * Measures one command of a jail, by its cgroup where there is one, else by summing its processes.
 *
 * <p>What a cgroup counts is counted from the command's start; the peak of memory is the box's.
 */
final class JailMeter implements Meter {

    private static final long BYTES_PER_INODE = 4096;
    private static final long LEAST_INODES = 1024;

    private final JailBox box;
    private final Limits limits;
    private final Optional<Cgroup> cgroup;
    private final long cpuBefore;
    private final long killsBefore;
    private final long refusedBefore;
    private final AtomicLong summedPeak = new AtomicLong();
    private final AtomicLong lastCpu = new AtomicLong();

    JailMeter(JailBox box) {
        this.box = box;
        limits = box.policy().limits();
        cgroup = box.process().cgroup();
        cpuBefore = cpuOfBox();
        killsBefore = cgroup.map(Cgroup::oomKills).orElse(0L);
        refusedBefore = cgroup.map(Cgroup::refusedForks).orElse(0L);
    }

    private long cpuOfBox() {
        return cgroup.map(Cgroup::cpuNanos)
                .orElseGet(() ->
                        sum(process -> Proc.stat(process).map(Proc.Stat::cpuNanos).orElse(0L)));
    }

    private long sum(ToLongFunction<Path> measure) {
        return InsideProcesses.list(box.process()).stream().mapToLong(measure).sum();
    }

    @Override
    public Duration cpu() {
        // When processes are summed, one that is gone takes its share with it.
        return Duration.ofNanos(lastCpu.accumulateAndGet(cpuOfBox() - cpuBefore, Math::max));
    }

    @Override
    public long peakMemory() {
        return cgroup.map(Cgroup::peakMemory).orElseGet(summedPeak::get);
    }

    /** Whether the kernel has killed for want of memory since the command started. */
    Optional<Outcome> outOfMemory() {
        return cgroup.filter(group -> group.oomKills() > killsBefore)
                .map(group ->
                        new Outcome.LimitHit(
                                Limit.MEMORY, limits.memory().count(), group.peakMemory()));
    }

    @Override
    public Optional<Outcome> excess() {
        // Even if it goes on: a process may fill the group and be killed between two looks.
        Optional<Outcome> outOfMemory = outOfMemory();
        if (outOfMemory.isPresent()) {
            return outOfMemory;
        }
        Duration cpu = cpu();
        if (cpu.compareTo(limits.cpuTime()) > 0) {
            return Optional.of(
                    new Outcome.LimitHit(
                            Limit.CPU_TIME, limits.cpuTime().toMillis(), cpu.toMillis()));
        }
        long memory = cgroup.map(this::grouped).orElseGet(this::summed);
        if (memory > limits.memory().count()) {
            return Optional.of(new Outcome.LimitHit(Limit.MEMORY, limits.memory().count(), memory));
        }
        Kernel.Space space = Kernel.space(box.scratch().descriptor());
        long inodes = space.inodes() - space.freeInodes();
        long allowed = Math.max(LEAST_INODES, limits.disk().count() / BYTES_PER_INODE);
        // bubblewrap cannot bound the number of files, each of which takes kernel memory.
        return inodes > allowed
                ? Optional.of(new Outcome.LimitHit(Limit.INODES, allowed, inodes))
                : Optional.empty();
    }

    /** The group's limit has room for the scratch, which the programs themselves may not use. */
    private long grouped(Cgroup group) {
        return group.memory() > limits.memory().count() ? group.programMemory() : 0;
    }

    private long summed() {
        long sum = sum(InsideProcesses::memory);
        if (sum > limits.memory().count()) {
            sum = sum(InsideProcesses::proportionalMemory);
        }
        summedPeak.accumulateAndGet(sum, Math::max);
        return sum;
    }

    @Override
    public List<Pressure> pressure() {
        List<Pressure> found = new ArrayList<>();
        if (Kernel.space(box.scratch().descriptor()).free() == 0) {
            found.add(new Pressure(Limit.DISK, "the scratch of " + limits.disk() + " is full"));
        }
        long refused = cgroup.map(group -> group.refusedForks() - refusedBefore).orElse(0L);
        if (refused > 0) {
            found.add(new Pressure(Limit.PROCESSES, refused + " processes were refused"));
        }
        return found;
    }

    @Override
    public List<Pressure> crowding() {
        List<Pressure> found = new ArrayList<>();
        List<Path> processes = InsideProcesses.list(box.process());
        if (cgroup.isEmpty()
                && sum(InsideProcesses::threads)
                        >= limits.processes() + CgroupLimits.OWN_PROCESSES - 1) {
            found.add(
                    new Pressure(
                            Limit.PROCESSES,
                            "all " + limits.processes() + " processes were in use"));
        }
        if (processes.stream()
                .anyMatch(one -> InsideProcesses.descriptors(one) >= limits.openFiles())) {
            found.add(
                    new Pressure(
                            Limit.OPEN_FILES,
                            "a process held all " + limits.openFiles() + " descriptors"));
        }
        return found;
    }
}
