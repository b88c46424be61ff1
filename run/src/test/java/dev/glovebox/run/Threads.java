package dev.glovebox.run;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;

/** The threads of this process, virtual ones too. */
final class Threads {

    private Threads() {}

    /** Those of the engine, whose names say so. */
    static List<String> named(Predicate<String> which) throws IOException {
        Path folder = Files.createTempDirectory("glovebox-threads");
        Path dump = folder.resolve("dump.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Files.readAllLines(dump).stream()
                    .filter(line -> line.startsWith("#") && line.contains("\"glovebox "))
                    .filter(which)
                    .toList();
        } finally {
            Files.deleteIfExists(dump);
            Files.delete(folder);
        }
    }

    /** Waits until there are no such threads: those that have done their last still have to end. */
    static void awaitNone(Predicate<String> which) throws IOException, InterruptedException {
        while (!named(which).isEmpty()) {
            Thread.sleep(5);
        }
    }
}
