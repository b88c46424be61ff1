package dev.glovebox.sandbox.internal;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The processes of a process-tier box.
 *
 * <p>They are told by their HOME, the box's own scratch directory, since a daemon that has left its
 * session and parents keeps that. A program that changes its environment escapes; this tier is for
 * code you trust.
 */
final class ProcessTree {

    private static final int ROUNDS = 20;
    private static final int LOOKS = 100;
    private static final long BETWEEN_LOOKS_NANOS = 1_000_000;

    private ProcessTree() {}

    static List<Path> find(ScratchFolder folder) {
        String home = "HOME=" + folder.scratch();
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> processes =
                Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (belongs(process, home)) {
                    found.add(process);
                }
            }
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    private static boolean belongs(Path process, String home) {
        for (int look = 0; look < LOOKS; look++) {
            String environment = Proc.read(process.resolve("environ")).orElse("");
            if (!environment.isEmpty() || !isBecomingAnotherProgram(process)) {
                return has(environment, home);
            }
            LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
        }
        return false;
    }

    /**
     * For a moment such a process has neither arguments nor an environment. The processes in which
     * gVisor runs programs never have any; it stops them when it does not.
     */
    private static boolean isBecomingAnotherProgram(Path process) {
        return Proc.read(process.resolve("cmdline")).map(String::isEmpty).orElse(false)
                && Proc.stat(process)
                        .map(stat -> !stat.exiting() && !stat.stopped() && !stat.kernelThread())
                        .orElse(false);
    }

    private static boolean has(String environment, String variable) {
        return List.of(environment.split("\0")).contains(variable);
    }

    /** Kills all of them; again and again, while a fork is faster than the look at the list. */
    static void killAll(ScratchFolder folder) {
        List<Path> left = find(folder);
        for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
            for (Path process : left) {
                int handle = Kernel.pidfd(Long.parseLong(process.getFileName().toString()));
                if (handle >= 0) {
                    Kernel.signal(handle, Kernel.SIGKILL);
                    Kernel.ready(handle, Kernel.POLLIN, 20);
                    Kernel.close(handle);
                }
            }
            left = find(folder);
        }
    }
}
