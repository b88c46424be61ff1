package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads {@code /proc}; what is gone meanwhile reads as empty. */
final class Proc {

    private static final int END_STATUS = 49;
    private static final int TICKS_PER_SECOND = 100;
    private static final long NANOS_PER_TICK = 1_000_000_000L / TICKS_PER_SECOND;

    private Proc() {}

    /** What we use of a process's line in /proc. */
    record Stat(char state, long flags, long ownTicks, long childTicks, String startTime) {

        private static final long EXITING = 4;
        private static final long KERNEL_THREAD = 0x200000;

        boolean dead() {
            return state == 'Z' || state == 'X';
        }

        boolean exiting() {
            return dead() || (flags & EXITING) != 0;
        }

        boolean stopped() {
            return state == 'T' || state == 't';
        }

        boolean kernelThread() {
            return (flags & KERNEL_THREAD) != 0;
        }

        long cpuNanos() {
            return (ownTicks + childTicks) * NANOS_PER_TICK;
        }
    }

    static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<Stat> stat(Path process) {
        return fields(process)
                .map(f ->
                        new Stat(
                                f[0].charAt(0),
                                Long.parseLong(f[6]),
                                Long.parseLong(f[11]) + Long.parseLong(f[12]),
                                Long.parseLong(f[13]) + Long.parseLong(f[14]),
                                f[19]));
    }

    /** The fields of {@code /proc/PID/stat} from the third on. */
    private static Optional<String[]> fields(Path process) {
        // The command's name is in parentheses and may hold anything, so fields count from its end.
        return read(process.resolve("stat"))
                .filter(text -> text.indexOf(')') > 0)
                .map(text -> text.substring(text.lastIndexOf(')') + 2).strip().split(" "));
    }

    /** When a process was started, in the kernel's own count; empty if there is none. */
    static String startTime(String pid) {
        return stat(Path.of("/proc", pid)).map(Stat::startTime).orElse("");
    }

    /** The value of a line {@code Name: value} of {@code status}. */
    static Optional<String> status(Path process, String name) {
        return read(process.resolve("status"))
                .flatMap(text ->
                        text.lines()
                                .filter(line -> line.startsWith(name + ":"))
                                .map(line -> line.substring(name.length() + 1).strip())
                                .findFirst());
    }

    /** The number of a process in the innermost namespace it is in; 0 if it is gone. */
    static int insidePid(int pid) {
        return status(Path.of("/proc", Integer.toString(pid)), "NSpid")
                .map(text -> Integer.parseInt(text.substring(text.lastIndexOf('\t') + 1)))
                .orElse(0);
    }

    /**
     * How a process ended.
     *
     * @param status in the form of {@code wait(2)}
     * @param executed whether it ever was another program than the one it was forked from
     */
    record End(int status, boolean executed) {

        private static final long FORKED_ONLY = 0x40;
    }

    /** How a process that nobody has collected ended. */
    static Optional<End> end(Path process) {
        return fields(process)
                .filter(f -> f[0].equals("Z"))
                .map(f ->
                        new End(
                                Integer.parseInt(f[END_STATUS]),
                                (Long.parseLong(f[6]) & End.FORKED_ONLY) == 0));
    }

    /** A memory line of {@code status} in bytes; 0 where there is none. */
    static long statusBytes(Path process, String name) {
        return status(process, name)
                .map(text -> Long.parseLong(text.split(" ")[0]) * 1024)
                .orElse(0L);
    }

    static List<Integer> children(int pid) {
        return read(Path.of(
                        "/proc", Integer.toString(pid), "task", Integer.toString(pid), "children"))
                .map(text ->
                        Arrays.stream(text.strip().split(" "))
                                .filter(s -> !s.isEmpty())
                                .map(Integer::valueOf)
                                .toList())
                .orElse(List.of());
    }
}
