package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The processes of a box, through the box's own {@code /proc}. */
final class InsideProcesses {

    private static final long KILL_BIT = 1L << (Kernel.SIGKILL - 1);

    private InsideProcesses() {}

    static List<Path> list(JailProcess process) {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> entries =
                Files.newDirectoryStream(process.insideProc(), "[0-9]*")) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            return List.of(); // the box is gone
        }
        return found;
    }

    /** All but the init process and the holder, which are the first two of every box. */
    static List<Path> others(JailProcess process) {
        return list(process).stream()
                .filter(path -> !path.endsWith("1") && !path.endsWith("2"))
                .toList();
    }

    /** Whether a process is dead, dying or about to die of a kill that it has not noticed yet. */
    static boolean doomed(Path process) {
        Optional<Proc.Stat> stat = Proc.stat(process);
        return stat.isEmpty()
                || stat.get().exiting()
                || killPending(process, "SigPnd")
                || killPending(process, "ShdPnd");
    }

    /** Kills a process by its folder, which never becomes that of another one. */
    static void kill(Path process) {
        int folder = Kernel.open(process.toString(), Kernel.O_RDONLY | Kernel.O_DIRECTORY);
        if (folder >= 0) {
            Kernel.signal(folder, Kernel.SIGKILL);
            Kernel.close(folder);
        }
    }

    private static boolean killPending(Path process, String mask) {
        return Proc.status(process, mask)
                        .map(text -> Long.parseUnsignedLong(text, 16) & KILL_BIT)
                        .orElse(KILL_BIT)
                != 0;
    }

    /** How many threads a process has, each of which counts as a process. */
    static long threads(Path process) {
        return Proc.status(process, "Threads").map(Long::parseLong).orElse(0L);
    }

    /** How many descriptors a process holds; 0 when it is gone. */
    static long descriptors(Path process) {
        Path folder = process.resolve("fd");
        try {
            // Since Linux 6.2 the size of the folder is the number of descriptors.
            long size = Files.readAttributes(folder, BasicFileAttributes.class).size();
            if (size > 0) {
                return size;
            }
            try (var entries = Files.list(folder)) {
                return entries.count();
            }
        } catch (IOException e) {
            return 0;
        }
    }

    /** Memory that is the process's own, in bytes. */
    static long memory(Path process) {
        return Proc.statusBytes(process, "RssAnon")
                + Proc.statusBytes(process, "RssShmem")
                + pageTables(process);
    }

    /** To read one byte of each 2 MiB costs nothing else, and 4 KiB of these. */
    private static long pageTables(Path process) {
        return Proc.statusBytes(process, "VmPTE");
    }

    /** Its memory with what it shares counted in proportion; slower to find out. */
    static long proportionalMemory(Path process) {
        return Proc.read(process.resolve("smaps_rollup"))
                .flatMap(text ->
                        text.lines()
                                .filter(line ->
                                        line.startsWith("Pss_Anon:")
                                                || line.startsWith("Pss_Shmem:"))
                                .map(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                                .reduce(Long::sum))
                .map(sum -> sum + pageTables(process))
                .orElseGet(() -> memory(process));
    }
}
