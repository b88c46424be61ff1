package dev.glovebox.sandbox.microvm;

import dev.glovebox.sandbox.NotEnforceable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A QEMU that runs, with its two connections; whatever happens to it, {@link #close} ends it. */
final class Machine implements Link.Guest {

    private static final Duration CONNECTING = Duration.ofSeconds(20);
    private static final Duration SAVING = Duration.ofMinutes(1);
    private static final Duration DYING = Duration.ofSeconds(10);
    private static final Duration BURYING = Duration.ofMillis(500);
    private static final Duration PAUSE = Duration.ofMillis(1);

    // bubblewrap dies with the thread that started it, so that one must live as long as the JVM.
    private static final ExecutorService SPAWNER =
            Executors.newSingleThreadExecutor(
                    Thread.ofPlatform().daemon().name("glovebox-vm-spawner").factory());

    private final Folder folder;
    private final Process process;
    private final Qmp qmp;
    private final SocketChannel agent;

    private Machine(Folder folder, Process process, Qmp qmp, SocketChannel agent) {
        this.folder = folder;
        this.process = process;
        this.qmp = qmp;
        this.agent = agent;
    }

    /**
     * Starts a machine.
     *
     * @param state what it goes on from; it starts from the kernel where there is none
     */
    static Machine start(Launch launch, Optional<Path> state) {
        Folder folder = Folder.create();
        List<AutoCloseable> held = new ArrayList<>();
        try {
            ServerSocketChannel control = listen(folder, Launch.CONTROL);
            held.add(control);
            ServerSocketChannel port = listen(folder, Launch.AGENT);
            held.add(port);
            Process process = spawn(launch.words(folder, state.isPresent()), folder, state);
            held.add(() -> kill(process));
            SocketChannel asked = accept(control, process);
            held.add(asked);
            SocketChannel agent = accept(port, process);
            held.add(agent);
            for (String socket : List.of(Launch.CONTROL, Launch.AGENT)) {
                Files.deleteIfExists(folder.path().resolve(socket));
            }
            closeIfLate(asked, process);
            return new Machine(folder, process, new Qmp(asked), agent);
        } catch (IOException | RuntimeException e) {
            String said = said(folder);
            held.reversed().forEach(Machine::quietly);
            folder.close();
            throw new NotEnforceable(
                    "isolation", "QEMU does not start: " + e.getMessage() + said, e);
        }
    }

    private static void closeIfLate(SocketChannel channel, Process process) {
        var _ = process.onExit().thenRun(() -> quietly(channel));
    }

    static void quietly(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            // It is given up all the same.
        }
    }

    private static String said(Folder folder) {
        try {
            String log = Files.readString(folder.path().resolve("log")).strip();
            return log.isEmpty() ? "" : ": " + log.substring(0, Math.min(log.length(), 500));
        } catch (IOException e) {
            return "";
        }
    }

    /** Only the machine's own user enters the folder. */
    private static ServerSocketChannel listen(Folder folder, String name) throws IOException {
        Path path = folder.path().resolve(name);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        return server;
    }

    private static SocketChannel accept(ServerSocketChannel server, Process process)
            throws IOException {
        var _ = process.onExit().thenRun(() -> quietly(server));
        CompletableFuture.delayedExecutor(CONNECTING.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> quietly(server));
        try (server) {
            return server.accept();
        }
    }

    private static Process spawn(List<String> words, Folder folder, Optional<Path> state)
            throws IOException {
        Path input = state.orElse(Path.of("/dev/null"));
        ProcessBuilder builder =
                new ProcessBuilder(words)
                        .redirectInput(input.toFile())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(folder.path().resolve("log").toFile());
        builder.environment().clear();
        try {
            return SPAWNER.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted", e);
        }
    }

    Qmp qmp() {
        return qmp;
    }

    @Override
    public SocketChannel agent() {
        return agent;
    }

    Folder folder() {
        return folder;
    }

    /** QEMU, behind those who confine it: the one that has no child. */
    ProcessHandle qemu() throws IOException {
        try (Stream<ProcessHandle> all = process.descendants()) {
            return all.filter(one -> one.children().findAny().isEmpty())
                    .findFirst()
                    .orElseThrow(() -> new IOException("QEMU has ended"));
        }
    }

    /** Sends what the machine is to a file; it goes on from there as often as wanted. */
    void save(Path file) throws IOException {
        CompletableFuture<Void> saved = Link.killedAfter(this, SAVING);
        try {
            write(file);
        } finally {
            saved.complete(null);
        }
    }

    private void write(Path file) throws IOException {
        String name = "state";
        try (ServerSocketChannel server = listen(folder, name)) {
            qmp.execute("stop", Map.of());
            qmp.execute("migrate-set-parameters", Map.of("max-bandwidth", 4L << 30));
            qmp.execute("migrate", Map.of("uri", "unix:" + Launch.INSIDE + "/" + name));
            try (SocketChannel from = accept(server, process);
                    FileChannel out =
                            FileChannel.open(
                                    file,
                                    StandardOpenOption.CREATE_NEW,
                                    StandardOpenOption.WRITE)) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 20);
                while (from.read(buffer.clear()) >= 0) {
                    buffer.flip();
                    while (buffer.hasRemaining()) {
                        out.write(buffer);
                    }
                }
            }
        }
        String status = qmp.await("query-migrate", DYING, "completed", "failed");
        if (!status.equals("completed")) {
            throw new IOException("The snapshot failed");
        }
    }

    /** Kills QEMU at once; what waits for its connections is told. */
    @Override
    public void kill() {
        kill(process);
    }

    private static void kill(Process process) {
        List<ProcessHandle> all;
        try (Stream<ProcessHandle> descendants = process.descendants()) {
            all = descendants.toList();
        }
        // The outermost is spared at first: it buries the others, which else waits for somebody.
        all.forEach(ProcessHandle::destroyForcibly);
        if (all.isEmpty() || !Tool.ended(process, BURYING)) {
            process.destroyForcibly();
        }
        // Waiting for a handle that is not our own child is polled for seconds by the JVM.
        long deadline = System.nanoTime() + DYING.toNanos();
        while (process.isAlive() || all.stream().anyMatch(ProcessHandle::isAlive)) {
            if (System.nanoTime() > deadline) {
                throw new UncheckedIOException(new IOException("QEMU does not die"));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }

    @Override
    public void close() {
        kill();
        quietly(qmp);
        quietly(agent);
        folder.close();
    }
}
