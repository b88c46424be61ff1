package dev.glovebox.sandbox.internal;

import static dev.glovebox.sandbox.internal.CgroupFiles.entry;
import static dev.glovebox.sandbox.internal.CgroupFiles.number;
import static dev.glovebox.sandbox.internal.CgroupFiles.read;
import static dev.glovebox.sandbox.internal.CgroupFiles.write;

import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.spi.Throttle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A box's group in the unified (version 2) hierarchy. */
final class CgroupV2 implements Cgroup {

    private static final int PERIOD_MICROS = 100_000;
    static final List<String> CONTROLLERS = List.of("memory", "pids", "cpu");

    /** The controller that is enabled where that can be done, for boxes that write to disks. */
    static final String DISKS = "io";

    private final Path group;
    private final Optional<Throttle> throttle;
    private final AtomicLong seenPeak = new AtomicLong();

    CgroupV2(Path parent, String name, CgroupLimits limits) {
        group = parent.resolve(name);
        try {
            Files.createDirectory(group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throttle =
                Optional.of(group.resolve(Throttle.RULES_V2))
                        .filter(file -> !limits.disks().isEmpty() && Files.exists(file))
                        .map(file -> new Throttle(file, limits.disks()));
        try {
            write(group.resolve("memory.max"), Long.toString(limits.memory()));
            Path swap = group.resolve("memory.swap.max");
            if (Files.exists(swap)) {
                write(swap, "0");
            }
            write(group.resolve("pids.max"), Integer.toString(limits.processes()));
            write(
                    group.resolve("cpu.max"),
                    Math.round(limits.cpus() * PERIOD_MICROS) + " " + PERIOD_MICROS);
            throttle.ifPresent(rates -> rates.hold(limits.diskRate()));
        } catch (UncheckedIOException e) {
            close();
            throw e;
        }
    }

    @Override
    public void enter() {
        // Threads cannot be in another group than their process; see attach.
    }

    @Override
    public void leave() {
        // Nothing was entered.
    }

    @Override
    public void attach(int pid) {
        write(group.resolve("cgroup.procs"), Integer.toString(pid));
    }

    @Override
    public boolean holds(Path process) {
        return Proc.read(process.resolve("cgroup"))
                .orElse("")
                .lines()
                .anyMatch(
                        line -> line.startsWith("0::") && line.endsWith("/" + group.getFileName()));
    }

    @Override
    public long cpuNanos() {
        return entry(group.resolve("cpu.stat"), "usage_usec") * 1000;
    }

    @Override
    public long memory() {
        long now = number(group.resolve("memory.current"));
        seenPeak.accumulateAndGet(now, Math::max);
        return now;
    }

    @Override
    public long programMemory() {
        return entry(group.resolve("memory.stat"), "anon");
    }

    @Override
    public long peakMemory() {
        // Kernels before 5.19 do not tell the peak: then it is the limit if that was ever reached,
        // which may be between two ticks, else the most that a tick has seen.
        Path peak = group.resolve("memory.peak");
        if (Files.exists(peak)) {
            return number(peak);
        }
        return entry(group.resolve("memory.events"), "max") > 0
                ? number(group.resolve("memory.max"))
                : Math.max(memory(), seenPeak.get());
    }

    @Override
    public long oomKills() {
        return entry(group.resolve("memory.events"), "oom_kill");
    }

    @Override
    public long refusedForks() {
        return entry(group.resolve("pids.events"), "max");
    }

    @Override
    public Optional<Throttle> throttle() {
        return throttle;
    }

    @Override
    public List<Control> controls() {
        String[] cpu = read(group.resolve("cpu.max")).split(" ");
        return CgroupLimits.controls(
                "cgroup v2",
                new Bytes(number(group.resolve("memory.max"))),
                number(group.resolve("pids.max")),
                Double.parseDouble(cpu[0]) / Double.parseDouble(cpu[1]));
    }

    @Override
    public void close() {
        CgroupFiles.remove(group);
    }
}
