package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Pressure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Compares what the holder reads with the limits of a command.
 *
 * <p>What the kernel counts is counted from the command's start; the peak of memory is the box's.
 */
final class Gauge {

    private static final int SIGSYS = 31;
    private static final int SIGXCPU = 24;
    private static final int SIGNAL = 0x7f;

    private final Limits limits;
    private final boolean counted;
    private Reading before = Reading.NONE;
    private long cpu;
    private long peak;

    Gauge(Limits limits, Facts facts) {
        this.limits = limits;
        counted = facts.groupVersion().isPresent();
    }

    synchronized void begin(Reading reading) {
        before = reading;
    }

    private synchronized void note(Reading now) {
        cpu = Math.max(cpu, now.cpu() - before.cpu());
        peak = Math.max(peak, now.peak());
    }

    synchronized Duration cpu() {
        return Duration.ofNanos(cpu);
    }

    synchronized long peak() {
        return peak;
    }

    /** The limit that is exceeded and that the kernel does not enforce by itself, if any. */
    Optional<Outcome> excess(Reading now) {
        note(now);
        Optional<Outcome> outOfMemory = outOfMemory(now);
        if (outOfMemory.isPresent()) {
            return outOfMemory;
        }
        if (cpu().compareTo(limits.cpuTime()) > 0) {
            return Optional.of(cpuHit());
        }
        if (now.memory() > limits.memory().count()) {
            return Optional.of(
                    new Outcome.LimitHit(Limit.MEMORY, limits.memory().count(), now.memory()));
        }
        if (!counted && now.processes() > limits.processes()) {
            return Optional.of(
                    new Outcome.LimitHit(Limit.PROCESSES, limits.processes(), now.processes()));
        }
        return tooManyFiles(now);
    }

    /** The kernel refuses some more than that, and a program may end of it between two looks. */
    Optional<Outcome> tooManyFiles(Reading now) {
        long inodes = ContainerSpec.inodes(limits);
        return now.inodes() > inodes
                ? Optional.of(new Outcome.LimitHit(Limit.INODES, inodes, now.inodes()))
                : Optional.empty();
    }

    /** Whether the kernel has killed for want of memory since the command started. */
    Optional<Outcome> outOfMemory(Reading now) {
        note(now);
        return now.kills() > Math.max(0, before.kills())
                ? Optional.of(memoryHit(now.peak()))
                : Optional.empty();
    }

    Outcome memoryHit(long seen) {
        return new Outcome.LimitHit(
                Limit.MEMORY, limits.memory().count(), Math.max(seen, limits.memory().count() + 1));
    }

    private Outcome cpuHit() {
        return new Outcome.LimitHit(Limit.CPU_TIME, limits.cpuTime().toMillis(), cpu().toMillis());
    }

    /** How a program ended by itself, from what the kernel told its parent. */
    Outcome natural(int status, Reading last) {
        note(last);
        int signal = status & SIGNAL;
        return switch (signal) {
            case 0 -> new Outcome.Exited(status >> 8 & 0xff);
            case SIGSYS ->
                    new Outcome.Denied("seccomp", "a system call that the container forbids");
            case SIGXCPU -> cpuHit();
            default -> new Outcome.Signalled(signal);
        };
    }

    List<Pressure> pressure(Reading now) {
        List<Pressure> found = new ArrayList<>();
        if (now.free() == 0) {
            found.add(new Pressure(Limit.DISK, "the scratch of " + limits.disk() + " is full"));
        }
        long refused = now.refused() - Math.max(0, before.refused());
        if (now.refused() >= 0 && refused > 0) {
            found.add(new Pressure(Limit.PROCESSES, refused + " processes were refused"));
        }
        if (now.descriptors() >= limits.openFiles()) {
            found.add(
                    new Pressure(
                            Limit.OPEN_FILES,
                            "a process held all " + limits.openFiles() + " descriptors"));
        }
        return found;
    }
}
