package dev.glovebox.sandbox.microvm;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The machines of this JVM, as the host sees them. */
final class Machines {

    private Machines() {}

    static List<ProcessHandle> running() {
        return of(ProcessHandle.current());
    }

    static List<ProcessHandle> of(ProcessHandle parent) {
        try (Stream<ProcessHandle> all = parent.descendants()) {
            return all.filter(one -> one.info().command().orElse("").contains("qemu-system"))
                    .toList();
        }
    }

    static void kill() {
        running().forEach(ProcessHandle::destroyForcibly);
    }

    static void stop() throws IOException, InterruptedException {
        for (ProcessHandle one : running()) {
            Process kill = new ProcessBuilder("kill", "-STOP", Long.toString(one.pid())).start();
            if (!kill.waitFor(10, TimeUnit.SECONDS)) {
                throw new IOException("kill does not end");
            }
        }
    }
}
