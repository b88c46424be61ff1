package dev.glovebox.sandbox.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** Who made a container: a JVM, told from all others on all machines; written on its labels. */
record Owner(String machine, long pid, long started) {

    static final String LABEL = "dev.glovebox.owner";

    static Owner self() {
        return new Owner(
                thisMachine(), ProcessHandle.current().pid(), started(ProcessHandle.current()));
    }

    /** This start of this machine, and who else has our process numbers. */
    private static String thisMachine() {
        try {
            String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            return boot + "-" + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            return System.getProperty("user.name") + "-" + System.getProperty("os.name");
        }
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    Map<String, String> labels() {
        return Map.of(LABEL, label());
    }

    String label() {
        return machine + "/" + pid + "/" + started;
    }

    static Optional<Owner> of(Map<String, String> labels) {
        String[] fields = labels.getOrDefault(LABEL, "").split("/");
        return fields.length == 3
                        && fields[1].matches("\\d{1,18}")
                        && fields[2].matches("\\d{1,18}")
                ? Optional.of(
                        new Owner(fields[0], Long.parseLong(fields[1]), Long.parseLong(fields[2])))
                : Optional.empty();
    }

    boolean onThisMachine() {
        return machine.equals(thisMachine());
    }

    boolean alive() {
        return ProcessHandle.of(pid)
                .filter(ProcessHandle::isAlive)
                .filter(process -> started(process) == started)
                .isPresent();
    }
}
