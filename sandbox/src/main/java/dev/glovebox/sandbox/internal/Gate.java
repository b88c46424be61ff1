package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Connection.Fate;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.HostPort;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The only way out of a box that has one: an HTTP proxy of this JVM that listens in the box's own
 * network, which has no route. Nobody but the box can reach it.
 */
final class Gate implements AutoCloseable {

    /** Always the same, so that the environment of a program is. */
    static final int PORT = 3128;

    static final int MOST_AT_ONCE = 64;

    private static final int BACKLOG = 512;
    private static final Duration FOREVER = Duration.ofDays(365);
    private static final long PAUSE_MILLIS = 1;
    private static final long END_SECONDS = 5;
    private static final List<String> OWN_NAMES = List.of("localhost", "127.0.0.1", "::1");
    private static final byte[] BUSY =
            "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII);

    private final int listening;
    private final List<HostPort> allowed;
    private final Destinations destinations;
    private final Readiness readiness = new Readiness();
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(
                    Thread.ofVirtual().name("glovebox-gate-", 0).factory());
    private final Set<GateConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<ConnectionLog> logs = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Gate(int listening, List<HostPort> allowed, Destinations.Resolver resolver) {
        this.listening = listening;
        this.allowed = allowed;
        this.destinations = new Destinations(allowed, resolver);
        threads.execute(this::accept);
    }

    /**
     * Opens the gate of a box in which nothing runs yet.
     *
     * @throws NotEnforceable if there can be none
     */
    static Gate open(JailProcess process, Policy policy) {
        int socket = -1;
        try {
            socket = Sockets.inNetworkOf(process.holder(), process.owner());
            Sockets.listen(socket, PORT, BACKLOG);
            return new Gate(socket, policy.network(), Lookup::of);
        } catch (KernelException e) {
            Kernel.close(socket);
            throw new NotEnforceable(
                    "network", "No gate can be opened in the box's network: " + e.getMessage(), e);
        }
    }

    /**
     * What tells programs of the gate.
     *
     * <p>A box has a loopback of its own, where it may talk to itself: those names do not lead to
     * the gate, unless the policy names them and so means the host's.
     */
    Map<String, String> environment() {
        String own =
                OWN_NAMES.stream()
                        .filter(name -> allowed.stream().noneMatch(it -> it.host().equals(name)))
                        .collect(Collectors.joining(","));
        Map<String, String> environment = new TreeMap<>();
        for (String name : List.of("http_proxy", "https_proxy", "all_proxy")) {
            environment.put(name, "http://127.0.0.1:" + PORT);
        }
        environment.put("no_proxy", own);
        Map<String, String> both = new TreeMap<>(environment);
        environment.forEach((name, value) -> both.put(name.toUpperCase(Locale.ROOT), value));
        both.put("NODE_USE_ENV_PROXY", "1");
        return both;
    }

    /**
     * What is in force, as the kernel shows it.
     *
     * @param holder the {@code /proc} of a process in the box
     */
    Control control(Path holder) {
        // 127.0.0.1 and the port in the kernel's own notation; 0A is listening.
        String here = "0100007F:%04X".formatted(PORT);
        boolean found =
                Stream.of(Proc.read(holder.resolve("net/tcp")).orElse(""))
                        .flatMap(String::lines)
                        .map(line -> line.strip().split("\\s+"))
                        .anyMatch(words ->
                                words.length > 9
                                        && words[1].equals(here)
                                        && words[3].equals("0A")
                                        && words[9].equals(Sockets.inode(listening)));
        if (!found) {
            throw new NotEnforceable(
                    "network", "The gate does not listen in the network of the box");
        }
        return new Control(
                "network",
                allowed.stream().map(HostPort::toString).collect(Collectors.joining(", ")),
                "gate on 127.0.0.1:" + PORT + " of a network namespace without a route");
    }

    /** Begins to record for a command. */
    ConnectionLog log() {
        ConnectionLog log = new ConnectionLog();
        logs.add(log);
        return log;
    }

    void forget(ConnectionLog log) {
        logs.remove(log);
    }

    private void accept() {
        while (!closed) {
            int fd = Sockets.accept(listening);
            try {
                if (fd == -Kernel.EAGAIN) {
                    readiness.await(listening, Kernel.POLLIN, FOREVER);
                } else if (fd < 0) {
                    Thread.sleep(PAUSE_MILLIS); // out of descriptors, say
                } else {
                    admit(fd);
                }
            } catch (InterruptedException e) {
                return; // closed
            }
        }
    }

    private void admit(int fd) throws InterruptedException {
        ConnectionLog.Entry entry = new ConnectionLog.Entry();
        logs.forEach(log -> log.add(entry));
        if (connections.size() >= MOST_AT_ONCE) {
            entry.decided("", 0, Fate.DENIED, "more than " + MOST_AT_ONCE + " connections at once");
            entry.end();
            Kernel.write(fd, BUSY, 0, BUSY.length);
            Kernel.close(fd);
            Thread.sleep(PAUSE_MILLIS); // so that refusing does not keep us busy
            return;
        }
        BoxSocket socket = new BoxSocket(fd, readiness);
        GateConnection connection = new GateConnection(socket, destinations, entry, threads);
        connections.add(connection);
        try {
            threads.execute(() -> {
                try {
                    connection.run();
                } finally {
                    connections.remove(connection);
                }
            });
        } catch (RejectedExecutionException e) {
            socket.close(); // the gate is closed
            entry.end();
        }
    }

    /** Ends all connections; new ones can be made. */
    void hangUp() {
        connections.forEach(GateConnection::hangUp);
    }

    @Override
    public void close() {
        closed = true;
        hangUp();
        threads.shutdownNow();
        Uninterrupted.awaitTermination(threads, END_SECONDS);
        readiness.close();
        Kernel.close(listening);
    }
}
