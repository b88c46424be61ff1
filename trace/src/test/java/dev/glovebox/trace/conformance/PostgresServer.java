package dev.glovebox.trace.conformance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A real PostgreSQL server, from the packages of this machine, on loopback, with nothing in it; it
 * ends with this process, however that ends.
 */
public final class PostgresServer {

    private static final String USER = "glovebox";
    private static final long GUARD_SECONDS = 120;

    // The server refuses to run as root.
    private static final String NOBODY = "65534";

    private final Path folder;
    private final Process process;
    private final int port;
    private final String password;
    private final AtomicInteger databases = new AtomicInteger();

    private PostgresServer(Path bin) throws IOException, InterruptedException, SQLException {
        folder = Files.createTempDirectory("glovebox-postgres");
        password = HexFormat.of().formatHex(new java.security.SecureRandom().generateSeed(16));
        Path secret = Files.writeString(folder.resolve("password"), password);
        if (root()) {
            run(List.of("chown", "-R", NOBODY + ":" + NOBODY, folder.toString()));
        }
        Path files = folder.resolve("data");
        List<String> initialize = unprivileged();
        initialize.addAll(
                List.of(
                        bin.resolve("initdb").toString(),
                        "--no-sync",
                        "--encoding=UTF8",
                        "--no-locale",
                        "--username=" + USER,
                        "--auth=scram-sha-256",
                        "--pwfile=" + secret,
                        files.toString()));
        run(initialize);
        port = freePort();
        process = start(bin, files);
        awaitReady();
    }

    private static final class Shared {
        private static final Optional<PostgresServer> SERVER = newest().map(Shared::started);

        private static PostgresServer started(Path bin) {
            try {
                return new PostgresServer(bin);
            } catch (IOException | InterruptedException | SQLException e) {
                throw new IllegalStateException("PostgreSQL does not start", e);
            }
        }
    }

    /**
     * The server that all tests of this process share. Skips the test if PostgreSQL is not
     * installed, but fails it if the system property {@code glovebox.required-stores} names {@code
     * postgres}.
     */
    public static PostgresServer shared() {
        boolean required =
                List.of(System.getProperty("glovebox.required-stores", "").split(","))
                        .contains("postgres");
        boolean installed = newest().isPresent();
        if (required && !installed) {
            throw new AssertionError("PostgreSQL is not installed: apt-get install postgresql");
        }
        assumeTrue(installed, "PostgreSQL is not installed");
        return Shared.SERVER.orElseThrow();
    }

    /** The programs of the newest version that is installed, where Debian and its like put them. */
    private static Optional<Path> newest() {
        Path versions = Path.of("/usr/lib/postgresql");
        if (!Files.isDirectory(versions)) {
            return Optional.empty();
        }
        try (Stream<Path> found = Files.list(versions)) {
            return found.filter(version -> version.getFileName().toString().matches("\\d+"))
                    .filter(version -> Files.isExecutable(version.resolve("bin/postgres")))
                    .max(Comparator.comparingInt(v -> Integer.parseInt(v.getFileName().toString())))
                    .map(version -> version.resolve("bin"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static boolean root() {
        return System.getProperty("user.name").equals("root");
    }

    private static List<String> unprivileged() {
        List<String> command = new ArrayList<>();
        if (root()) {
            command.addAll(
                    List.of(
                            "setpriv",
                            "--reuid=" + NOBODY,
                            "--regid=" + NOBODY,
                            "--clear-groups",
                            "--"));
        }
        return command;
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        Path log = folder.resolveSibling(folder.getFileName() + ".log");
        try {
            Process run =
                    new ProcessBuilder(command)
                            .directory(folder.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (run.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + ": " + Files.readString(log));
            }
        } finally {
            Files.deleteIfExists(log);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /**
     * The shell between us and the server waits for the end of its input, which comes with our own
     * end; then it ends the server at once, and removes all that it has written.
     */
    private Process start(Path bin, Path files) throws IOException {
        List<String> command = unprivileged();
        command.addAll(
                List.of(
                        "sh",
                        "-c",
                        "\"$@\" </dev/null & read -r _; kill -QUIT $!; wait $!; rm -rf \"$0\"",
                        folder.toString(),
                        bin.resolve("postgres").toString(),
                        "-D",
                        files.toString(),
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "listen_addresses=127.0.0.1",
                        "-c",
                        "unix_socket_directories=",
                        "-c",
                        "fsync=on"));
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void awaitReady() throws InterruptedException, SQLException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(GUARD_SECONDS);
        while (true) {
            try {
                administer("SELECT 1");
                return;
            } catch (SQLException e) {
                if (!process.isAlive() || System.nanoTime() > end) {
                    throw e;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** Makes an empty database; its address for JDBC. */
    public String freshDatabase() {
        String name = "test_" + databases.incrementAndGet();
        try {
            administer("CREATE DATABASE " + name);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return url(name);
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    /** Does something as the administrator. */
    public void administer(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("postgres"), USER, password);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private String url(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/" + database;
    }
}
