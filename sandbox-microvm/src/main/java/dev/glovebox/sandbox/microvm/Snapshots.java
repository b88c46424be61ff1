package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.Home;
import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Machines as they were when their agent was ready, so that no box waits for a kernel. */
final class Snapshots {

    static final Duration BOOT = Duration.ofSeconds(90);
    private static final Duration RESTORE = Duration.ofSeconds(20);

    private static final Object MAKING = new Object();

    private final Path folder;

    Snapshots(Map<String, String> environment, Image image) {
        folder = folder(environment).resolve(image.digest());
    }

    /** All of them, by image. */
    static Path folder(Map<String, String> environment) {
        return Home.of(environment).resolve("microvm").resolve("snapshots");
    }

    /** A machine whose agent is ready, made from a snapshot; the first of its shape makes that. */
    Machine restore(Launch launch) {
        Path state = state(launch);
        try {
            return restore(launch, state);
        } catch (IOException e) {
            return again(launch, state);
        }
    }

    /** What was kept may be damaged; what is made anew is not. */
    private Machine again(Launch launch, Path damaged) {
        try {
            Files.deleteIfExists(damaged);
            return restore(launch, state(launch));
        } catch (IOException e) {
            throw new NotEnforceable(
                    "isolation", "The machine does not go on from its snapshot " + damaged, e);
        }
    }

    private static Machine restore(Launch launch, Path state) throws IOException {
        Machine machine = Machine.start(launch, Optional.of(state));
        try {
            machine.qmp().execute("migrate-incoming", Map.of("uri", "fd:0"));
            machine.qmp().await("query-status", RESTORE, "paused", "running");
            machine.qmp().execute("cont", Map.of());
            return machine;
        } catch (IOException e) {
            machine.close();
            throw e;
        }
    }

    /** A machine that starts from its kernel; its agent is ready. */
    static Machine boot(Launch launch) {
        Machine machine = Machine.start(launch, Optional.empty());
        try {
            Link.awaitReady(machine, BOOT);
            return machine;
        } catch (IOException e) {
            machine.close();
            throw new NotEnforceable("isolation", "The guest does not start: " + e.getMessage(), e);
        }
    }

    private Path state(Launch launch) {
        Path state = folder.resolve(launch.key());
        synchronized (MAKING) {
            if (!Files.isReadable(state)) {
                make(launch, state);
            }
        }
        return state;
    }

    private void make(Launch launch, Path state) {
        try {
            Files.createDirectories(folder);
            try (FileChannel channel =
                            FileChannel.open(
                                    folder.resolve("lock"),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                if (lock.isValid() && !Files.isReadable(state)) {
                    Path fresh = folder.resolve(launch.key() + ".new");
                    Files.deleteIfExists(fresh);
                    launch.image().verify();
                    try (Machine machine = boot(launch)) {
                        machine.save(fresh);
                    }
                    Files.move(fresh, state, StandardCopyOption.ATOMIC_MOVE);
                }
            }
        } catch (IOException e) {
            throw new NotEnforceable("isolation", "No snapshot can be made: " + e.getMessage(), e);
        }
    }
}
