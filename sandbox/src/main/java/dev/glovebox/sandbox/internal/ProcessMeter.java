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

/** Measures a command of the process tier by walking from its first process to its descendants. */
final class ProcessMeter implements Meter {

    private final ProcessBox box;
    private final Limits limits;
    private final int pid;
    private final AtomicLong cpu = new AtomicLong();
    private final AtomicLong memory = new AtomicLong();

    ProcessMeter(ProcessBox box, int pid) {
        this.box = box;
        this.limits = box.policy().limits();
        this.pid = pid;
    }

    /** Takes over the kernel's own final account. */
    void ended(Kernel.Ended ended) {
        cpu.accumulateAndGet(ended.cpuNanos(), Math::max);
        // The kernel's account begins before the program does, with the JVM that it was forked
        // from.
        if (ended.peakMemory() > Proc.statusBytes(Path.of("/proc/self"), "VmHWM")) {
            memory.accumulateAndGet(ended.peakMemory(), Math::max);
        }
    }

    @Override
    public Duration cpu() {
        return Duration.ofNanos(cpu.get());
    }

    @Override
    public long peakMemory() {
        return memory.get();
    }

    @Override
    public Optional<Outcome> excess() {
        List<Path> processes = new ArrayList<>();
        collect(pid, processes);
        long used =
                processes.stream()
                        .mapToLong(one -> Proc.stat(one).map(Proc.Stat::cpuNanos).orElse(0L))
                        .sum();
        long taken = processes.stream().mapToLong(InsideProcesses::memory).sum();
        cpu.accumulateAndGet(used, Math::max);
        memory.accumulateAndGet(taken, Math::max);
        if (used > limits.cpuTime().toNanos()) {
            return hit(Limit.CPU_TIME, limits.cpuTime().toMillis(), used / 1_000_000);
        }
        if (taken > limits.memory().count()) {
            return hit(Limit.MEMORY, limits.memory().count(), taken);
        }
        if (processes.size() > limits.processes()) {
            return hit(Limit.PROCESSES, limits.processes(), processes.size());
        }
        long disk = box.folder().size();
        return disk > limits.disk().count()
                ? hit(Limit.DISK, limits.disk().count(), disk)
                : Optional.empty();
    }

    private static Optional<Outcome> hit(Limit limit, long value, long peak) {
        return Optional.of(new Outcome.LimitHit(limit, value, peak));
    }

    private static void collect(int process, List<Path> found) {
        found.add(Path.of("/proc", Integer.toString(process)));
        Proc.children(process).forEach(child -> collect(child, found));
    }

    @Override
    public List<Pressure> pressure() {
        return List.of();
    }

    @Override
    public List<Pressure> crowding() {
        List<Path> processes = new ArrayList<>();
        collect(pid, processes);
        return processes.stream()
                        .anyMatch(one -> InsideProcesses.descriptors(one) >= limits.openFiles())
                ? List.of(
                        new Pressure(
                                Limit.OPEN_FILES,
                                "a process held all " + limits.openFiles() + " descriptors"))
                : List.of();
    }
}
