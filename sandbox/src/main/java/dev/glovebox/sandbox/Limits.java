package dev.glovebox.sandbox;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * How much a box may use. One table of defaults for every tier and every entrance. A value out of
 * its range is an {@link InvalidPolicy}; times are cut to whole milliseconds.
 *
 * @param wall time a command may take by the clock
 * @param cpuTime processor time of all its processes together
 * @param cpus processors it may keep busy at once
 * @param memory memory of all its processes together
 * @param processes processes and threads alive at once
 * @param disk size of the scratch directory
 * @param diskRate bytes a second written to each disk behind the folders it may write to
 * @param openFiles descriptors a process may hold
 * @param output bytes kept of each output stream
 */
public record Limits(
        Duration wall,
        Duration cpuTime,
        double cpus,
        Bytes memory,
        int processes,
        Bytes disk,
        Bytes diskRate,
        int openFiles,
        Bytes output) {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(7);
    private static final Bytes LARGEST = Bytes.mebibytes(1L << 22);
    private static final int MOST = 1 << 20;
    private static final double LEAST_CPUS = 0.01;
    private static final double MOST_CPUS = 4096;
    private static final int LEAST_OPEN_FILES = 16;

    /** The limits of a policy that says nothing about them. */
    public static final Limits DEFAULT =
            new Limits(
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(30),
                    1.0,
                    Bytes.mebibytes(256),
                    64,
                    Bytes.mebibytes(64),
                    Bytes.mebibytes(64),
                    256,
                    Bytes.mebibytes(1));

    public Limits {
        wall = wholeMillis(Limit.WALL.toString(), wall);
        cpuTime = wholeMillis(Limit.CPU_TIME.toString(), cpuTime);
        within(Limit.CPUS, cpus >= LEAST_CPUS && cpus <= MOST_CPUS, cpus, "from 0.01 to 4096");
        within(
                Limit.MEMORY,
                memory.compareTo(Bytes.mebibytes(4)) >= 0 && memory.compareTo(LARGEST) <= 0,
                memory,
                "from 4MiB to 4TiB");
        within(
                Limit.PROCESSES,
                processes >= 1 && processes <= MOST,
                processes,
                "from 1 to 1048576");
        within(
                Limit.DISK,
                disk.compareTo(Bytes.kibibytes(64)) >= 0 && disk.compareTo(LARGEST) <= 0,
                disk,
                "from 64KiB to 4TiB");
        within(
                Limit.DISK_RATE,
                diskRate.compareTo(Bytes.kibibytes(64)) >= 0 && diskRate.compareTo(LARGEST) <= 0,
                diskRate,
                "from 64KiB to 4TiB");
        within(
                Limit.OPEN_FILES,
                openFiles >= LEAST_OPEN_FILES && openFiles <= MOST,
                openFiles,
                "from 16 to 1048576");
        within(
                Limit.OUTPUT,
                output.count() <= Bytes.mebibytes(1024).count(),
                output,
                "up to 1024MiB");
    }

    /** Cuts a time to the milliseconds that policies are written in, and checks its range. */
    static Duration wholeMillis(String name, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            String how = value.compareTo(SHORTEST) < 0 ? "short" : "long";
            throw new InvalidPolicy(
                    "The limit '" + name + "' is too " + how + ": it goes from 1ms to 168h");
        }
        return value.truncatedTo(ChronoUnit.MILLIS);
    }

    private static void within(Limit limit, boolean ok, Object value, String range) {
        if (!ok) {
            throw new InvalidPolicy(
                    "The limit '" + limit + "' cannot be " + value + ": it goes " + range);
        }
    }

    public Limits withWall(Duration value) {
        return new Limits(
                value, cpuTime, cpus, memory, processes, disk, diskRate, openFiles, output);
    }

    public Limits withCpuTime(Duration value) {
        return new Limits(wall, value, cpus, memory, processes, disk, diskRate, openFiles, output);
    }

    public Limits withCpus(double value) {
        return new Limits(
                wall, cpuTime, value, memory, processes, disk, diskRate, openFiles, output);
    }

    public Limits withMemory(Bytes value) {
        return new Limits(wall, cpuTime, cpus, value, processes, disk, diskRate, openFiles, output);
    }

    public Limits withProcesses(int value) {
        return new Limits(wall, cpuTime, cpus, memory, value, disk, diskRate, openFiles, output);
    }

    public Limits withDisk(Bytes value) {
        return new Limits(
                wall, cpuTime, cpus, memory, processes, value, diskRate, openFiles, output);
    }

    public Limits withDiskRate(Bytes value) {
        return new Limits(wall, cpuTime, cpus, memory, processes, disk, value, openFiles, output);
    }

    public Limits withOpenFiles(int value) {
        return new Limits(wall, cpuTime, cpus, memory, processes, disk, diskRate, value, output);
    }

    public Limits withOutput(Bytes value) {
        return new Limits(wall, cpuTime, cpus, memory, processes, disk, diskRate, openFiles, value);
    }
}
