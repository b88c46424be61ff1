package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The limits that the kernel holds each process to, as the holder sets them on itself.
 *
 * <p>It does so from inside, since setting those of another user's process takes a capability that
 * even root does not have in every container.
 *
 * @param cpuSeconds behind the supervisor that watches the sum of all processes
 * @param fileKibibytes largest file
 * @param dataKibibytes program memory of each process, or 0 where a cgroup bounds their sum
 * @param processes processes and threads of the box, or 0 where a cgroup bounds them
 */
record ResourceLimits(
        long cpuSeconds, long fileKibibytes, int openFiles, long dataKibibytes, int processes) {

    private static final long KIBI = 1024;
    private static final Pattern COLUMNS = Pattern.compile("\\s{2,}");

    static ResourceLimits of(Limits limits, boolean withoutCgroup) {
        return new ResourceLimits(
                limits.cpuTime().toSeconds() + 1,
                Math.ceilDiv(limits.disk().count(), KIBI),
                limits.openFiles(),
                withoutCgroup ? Math.ceilDiv(limits.memory().count(), KIBI) : 0,
                withoutCgroup ? limits.processes() + CgroupLimits.OWN_PROCESSES : 0);
    }

    /** For a process that shares its user with others: the kernel would count those as well. */
    static ResourceLimits ofProcess(Limits limits) {
        ResourceLimits all = of(limits, true);
        return new ResourceLimits(
                all.cpuSeconds, all.fileKibibytes, all.openFiles, all.dataKibibytes, 0);
    }

    /** Reads {@code /proc/PID/limits}: the soft limit of each. */
    static Map<String, String> parse(String text) {
        Map<String, String> values = new TreeMap<>();
        text.lines()
                .skip(1)
                .map(COLUMNS::split)
                .forEach(columns -> values.put(columns[0], columns[1]));
        return values;
    }

    /** Options and values for the shell's {@code ulimit}, one pair for each limit. */
    List<String> arguments() {
        List<String> arguments =
                new ArrayList<>(List.of("-c", "0", "-t", Long.toString(cpuSeconds)));
        arguments.addAll(
                List.of("-f", Long.toString(fileKibibytes), "-n", Integer.toString(openFiles)));
        if (dataKibibytes > 0) {
            arguments.addAll(List.of("-d", Long.toString(dataKibibytes)));
        }
        if (processes > 0) {
            arguments.addAll(List.of("-u", Integer.toString(processes)));
        }
        return arguments;
    }

    /** What {@code /proc/PID/limits} must say, by its own names, in its own units. */
    Map<String, String> expected() {
        Map<String, String> values = new TreeMap<>();
        values.put("Max core file size", "0");
        values.put("Max cpu time", Long.toString(cpuSeconds));
        values.put("Max file size", Long.toString(fileKibibytes * KIBI));
        values.put("Max open files", Integer.toString(openFiles));
        if (dataKibibytes > 0) {
            values.put("Max data size", Long.toString(dataKibibytes * KIBI));
        }
        if (processes > 0) {
            values.put("Max processes", Integer.toString(processes));
        }
        return values;
    }
}
