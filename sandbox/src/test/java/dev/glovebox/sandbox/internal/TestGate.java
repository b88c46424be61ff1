package dev.glovebox.sandbox.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.HostPort;
import dev.glovebox.sandbox.Pressure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** A gate in our own network, a server that it lets one reach, and the names that it looks up. */
final class TestGate implements AutoCloseable {

    private final Map<String, List<String>> names = new ConcurrentHashMap<>();
    private final List<HostPort> allowed = new ArrayList<>();
    private final List<String> lookups = new ArrayList<>();
    private final OneAnswerServer server;
    private Optional<Gate> gate = Optional.empty();
    private final long start = System.nanoTime();
    private ConnectionLog log = new ConnectionLog();
    private int port;

    TestGate() {
        try {
            server = new OneAnswerServer(OneAnswerServer.OK);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        name("allowed.example", List.of("127.0.0.1"));
        allow("allowed.example", server.port());
        allow("127.0.0.1", server.port());
    }

    OneAnswerServer server() {
        return server;
    }

    /** Lets a name lead to addresses. */
    void name(String name, List<String> addresses) {
        names.put(name, addresses);
    }

    /** Lets a place be reached. */
    void allow(String host, int port) {
        allowed.add(new HostPort(host, port));
    }

    String allowedUrl() {
        return "http://allowed.example:" + server.port() + "/path?q=1";
    }

    void open() throws IOException {
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        int fd = (int) Libc.call(Libc.function("socket"), 2, 1 | 0x800, 0);
        Sockets.listen(fd, port, 64);
        Gate opened = new Gate(fd, allowed, this::resolve);
        gate = Optional.of(opened);
        log = opened.log();
    }

    private InetAddress[] resolve(String name) throws UnknownHostException {
        synchronized (lookups) {
            lookups.add(name);
        }
        List<InetAddress> found = new ArrayList<>();
        for (String literal : names.getOrDefault(name, List.of())) {
            found.add(InetAddress.getByName(literal));
        }
        if (name.matches("[0-9.]+")) {
            found.add(InetAddress.getByName(name));
        }
        if (found.isEmpty()) {
            throw new UnknownHostException(name);
        }
        return found.toArray(InetAddress[]::new);
    }

    /** The names that were asked for. */
    List<String> lookups() {
        synchronized (lookups) {
            return List.copyOf(lookups);
        }
    }

    /** A connection to the gate, which must be open. */
    Socket socket() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), port);
    }

    /** Sends bytes to the gate and gives all that comes back. */
    String ask(String request) throws IOException {
        if (gate.isEmpty()) {
            open();
        }
        try (Socket socket = socket()) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return OneAnswerServer.readAll(socket.getInputStream());
        }
    }

    List<Connection> connections() {
        return log.connections(start);
    }

    /** The connection, of which there must be one. */
    Connection only() {
        List<Connection> all = connections();
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    Optional<Pressure> refused() {
        return log.refused();
    }

    /** Closes the gate alone. */
    void shut() {
        gate.ifPresent(Gate::close);
        gate = Optional.empty();
    }

    @Override
    public void close() throws IOException {
        shut();
        server.close();
    }
}
