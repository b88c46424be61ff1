package dev.glovebox.agent;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.run.Failure;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The reference servers of MCP, installed by npm into the build folder, once. */
final class ReferenceServers {

    private static final String VERSION = "2026.8.31";
    private static final List<String> NAMES = List.of("everything", "filesystem");
    private static final Path FOLDER = Path.of("target", "mcp-servers", VERSION).toAbsolutePath();
    private static final long GUARD_MINUTES = 5;

    private ReferenceServers() {}

    static McpTools everything(Map<String, String> environment) throws Exception {
        return McpTools.stdio("node", List.of(script("everything"), "stdio"), environment);
    }

    static McpTools filesystem(Path folder, McpOptions options) throws Exception {
        return McpTools.stdio(
                "node", List.of(script("filesystem"), folder.toString()), Map.of(), options);
    }

    /** The server of everything, by HTTP. */
    record Listening(Process process, URI address) implements AutoCloseable {

        static Listening start() throws Exception {
            int port;
            try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            ProcessBuilder builder =
                    new ProcessBuilder("node", script("everything"), "streamableHttp")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("PORT", String.valueOf(port));
            return new Listening(builder.start(), URI.create("http://localhost:" + port + "/mcp"));
        }

        /** Opens it as soon as it listens. */
        McpTools open(Map<String, String> headers) throws Exception {
            while (true) {
                try {
                    return McpTools.http(address, headers);
                } catch (RuntimeException e) {
                    if (!isStarting(e)) {
                        close();
                        throw e;
                    }
                    Thread.sleep(Duration.ofMillis(50));
                }
            }
        }

        private boolean isStarting(RuntimeException problem) {
            return process.isAlive()
                    && problem instanceof Failure failure
                    && failure.code().equals(McpProblem.UNREACHABLE);
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** The program of a server. */
    static synchronized String script(String name) throws Exception {
        boolean required =
                List.of(System.getProperty("glovebox.required-servers", "").split(","))
                        .contains("mcp");
        boolean installed = isOnPath("node") && isOnPath("npm");
        if (required && !installed) {
            throw new AssertionError("node and npm are not installed: apt-get install nodejs npm");
        }
        assumeTrue(installed, "node and npm are not installed");
        if (!NAMES.stream().allMatch(one -> Files.exists(file(one)))) {
            install();
        }
        return file(name).toString();
    }

    private static Path file(String name) {
        return FOLDER.resolve("node_modules/@modelcontextprotocol/server-" + name)
                .resolve("dist/index.js");
    }

    private static void install() throws IOException, InterruptedException {
        Files.createDirectories(FOLDER);
        Path log = FOLDER.resolve("npm.log");
        Stream<String> command =
                Stream.of(
                        "npm",
                        "install",
                        "--prefix",
                        FOLDER.toString(),
                        "--no-audit",
                        "--no-fund",
                        "--ignore-scripts");
        Stream<String> packages =
                NAMES.stream().map(name -> "@modelcontextprotocol/server-" + name + "@" + VERSION);
        Process npm =
                new ProcessBuilder(Stream.concat(command, packages).toList())
                        .directory(FOLDER.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!npm.waitFor(GUARD_MINUTES, TimeUnit.MINUTES) || npm.exitValue() != 0) {
            npm.destroyForcibly();
            throw new AssertionError("npm did not install the servers: " + Files.readString(log));
        }
    }

    private static boolean isOnPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Stream.of(path.split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
}
