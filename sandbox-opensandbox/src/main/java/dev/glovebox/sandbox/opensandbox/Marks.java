package dev.glovebox.sandbox.opensandbox;

import dev.glovebox.sandbox.spi.Digests;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** What our boxes carry on the server, so that they are found again after a crash. */
final class Marks {

    private static final String OWNER = "glovebox-owner";
    private static final String PROCESS = "glovebox-process";
    private static final int ENOUGH = 32;
    // A server that takes its time may keep what is left, until its lease is over.
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Marks() {}

    /** Whose a box is: this user of this machine, in this process. */
    static Map<String, String> own() {
        ProcessHandle self = ProcessHandle.current();
        return Map.of(OWNER, owner(), PROCESS, process(self.pid(), self));
    }

    private static String process(long pid, ProcessHandle handle) {
        return pid + "-" + handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Tells nobody who we are, only ourselves. */
    private static String owner() {
        String who = System.getProperty("user.name", "") + "\n" + machine();
        return Digests.hex(who.getBytes(StandardCharsets.UTF_8)).substring(0, ENOUGH);
    }

    /** This start of this machine, and who else has our process numbers. */
    private static String machine() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id"))
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            // Not on Linux. Nobody can tell then, so nobody's boxes are ours but our own.
            return Long.toString(ProcessHandle.current().pid());
        }
    }

    /** Removes the boxes of our processes that are no more; returns how many. */
    static int sweep(Lifecycle server) throws IOException {
        int removed = 0;
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (Map.Entry<String, Map<String, String>> box : server.find(OWNER, owner()).entrySet()) {
            if (System.nanoTime() < deadline && !alive(box.getValue().getOrDefault(PROCESS, ""))) {
                server.remove(box.getKey());
                removed++;
            }
        }
        return removed;
    }

    private static boolean alive(String process) {
        if (!process.matches("[0-9]{1,10}-[0-9]{1,18}")) {
            return false;
        }
        long pid = Long.parseLong(process.substring(0, process.indexOf('-')));
        Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        return handle.isPresent() && process(pid, handle.get()).equals(process);
    }
}
