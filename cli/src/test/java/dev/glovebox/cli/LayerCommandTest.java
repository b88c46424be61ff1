package dev.glovebox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Packages ahead, from an index of the test. */
class LayerCommandTest {

    private static final String WHEEL = "tiny-1.0-py3-none-any.whl";

    @TempDir private Path directory;
    private HttpServer server;
    private final List<String> asked = new CopyOnWriteArrayList<>();

    @BeforeEach
    void serve() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        byte[] wheel = wheel();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        server.createContext(
                "/",
                exchange -> {
                    try (exchange) {
                        String path = exchange.getRequestURI().getPath();
                        asked.add(path);
                        byte[] link =
                                ("<a href='/" + WHEEL + "'>" + WHEEL + "</a>").getBytes(UTF_8);
                        byte[] page = path.equals("/" + WHEEL) ? wheel : link;
                        boolean known = path.endsWith(".whl") || path.equals("/simple/tiny/");
                        exchange.getResponseHeaders()
                                .set(
                                        "Content-Type",
                                        path.endsWith("/") ? "text/html" : "any/thing");
                        exchange.sendResponseHeaders(known ? 200 : 404, known ? page.length : -1);
                        if (known) {
                            exchange.getResponseBody().write(page);
                        }
                    }
                });
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private static byte[] wheel() throws IOException {
        String info = "tiny-1.0.dist-info/";
        Map<String, String> files =
                Map.of(
                        "tiny/__init__.py",
                        "answer = 42\n",
                        info + "METADATA",
                        "Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n",
                        info + "WHEEL",
                        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
                        info + "RECORD",
                        "tiny/__init__.py,,\n%sMETADATA,,\n%sWHEEL,,\n%sRECORD,,\n"
                                .formatted(info, info, info));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    private Map<String, String> environment() {
        return Map.of(
                "GLOVEBOX_HOME",
                directory.resolve(Cli.HOME).toString(),
                "PIP_INDEX_URL",
                "http://127.0.0.1:" + server.getAddress().getPort() + "/simple");
    }

    private Cli.Ran run(Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Shell shell =
                new Shell(
                        new ByteArrayInputStream(new byte[0]),
                        out,
                        err,
                        directory,
                        environment,
                        () -> false,
                        () -> false);
        int exit = new Main(shell).run(arguments);
        return new Cli.Ran(exit, out.toByteArray(), err.toString(UTF_8));
    }

    private Cli.Ran run(String... arguments) {
        return run(environment(), arguments);
    }

    private static void needsPip() {
        Cli.needs("jail");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/pip3")), "pip3 is not installed here");
    }

    @Test
    void packagesAreAddedOnceListedAndRemoved() throws IOException {
        needsPip();
        Cli.Ran added = run("layer", "add", "--json", "python", "tiny");
        assertThat(added.exit()).as(added.stderr()).isZero();
        JsonNode layer = added.json();
        assertThat(layer.path("fresh").asBoolean()).isTrue();
        assertThat(layer.path("digest").asText()).hasSize(64);
        assertThat(asked).contains("/" + WHEEL);
        int before = asked.size();
        assertThat(run("layer", "add", "python", "Tiny").out()).startsWith("was there");
        assertThat(asked).hasSize(before);
        assertThat(run("layer", "list", "--json").json().path("layers").path(0).path("key"))
                .isEqualTo(layer.path("key"));
        assertThat(run("layer", "list").out()).contains("python  tiny");
        String key = layer.path("key").asText();
        assertThat(run("layer", "remove", key.substring(0, 12)).exit()).isZero();
        assertThat(run("layer", "remove", key.substring(0, 12)).exit()).isEqualTo(1);
        assertThat(run("layer", "list", "--json").json().path("layers")).isEmpty();
    }

    @Test
    void aTaskInAProcessOfItsOwnFindsWhatWasAdded() throws Exception {
        needsPip();
        Files.writeString(directory.resolve("it.py"), "import tiny\nprint(tiny.answer)\n");
        assertThat(process("layer", "add", "python", "tiny").exit()).isZero();
        server.stop(0);
        Cli.Ran ran = process("run", "-q", "--code", "it.py");
        assertThat(ran.exit()).as(ran.stderr()).isZero();
        assertThat(ran.out()).isEqualTo("42\n");
    }

    private Cli.Ran process(String... arguments) throws IOException, InterruptedException {
        ProcessBuilder builder = Cli.in(directory).process(arguments);
        builder.environment().putAll(environment());
        return Cli.await(builder.start());
    }

    @Test
    void theInstallationIsRecordedIfSomebodyWantsThat() throws IOException {
        needsPip();
        Cli.Ran added = run("layer", "add", "--trace", "--json", "python", "tiny");
        assertThat(added.exit()).as(added.stderr()).isZero();
        assertThat(added.stderr()).contains("recorded as ");
        assertThat(added.json().path("fresh").asBoolean()).isTrue();
        assertThat(run("trace", "verify", "last").exit()).isZero();
        assertThat(run("trace", "show", "last", "--json").out()).contains("\"connections\":");
        server.stop(0);
        assertThat(run("trace", "replay", "last").exit()).isZero();
        // What is there already is not installed again, so there is nothing to record.
        Cli.Ran again = run("layer", "add", "--trace", "python", "tiny");
        assertThat(again.out()).startsWith("was there");
        assertThat(again.stderr()).isEmpty();
    }

    @Test
    void whatCannotBeInstalledIsSaid() throws IOException {
        needsPip();
        Cli.Ran unknown = run("layer", "add", "--json", "python", "unheard-of");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(unknown.stderr()).contains("No matching distribution");
        assertThat(unknown.json().path("error").path("type").asText()).isEqualTo("not-installed");
        Map<String, String> none =
                Map.of("GLOVEBOX_HOME", directory.toString(), "PIP_NO_INDEX", "1");
        Cli.Ran nowhere = run(none, "layer", "add", "python", "tiny");
        assertThat(nowhere.exit()).isEqualTo(1);
        assertThat(nowhere.stderr()).contains("There is no package index for python");
    }

    @Test
    void nonsenseIsUsageAndRunsNothing() {
        for (List<String> words :
                List.of(
                        List.<String>of(),
                        List.of("grow"),
                        List.of("add"),
                        List.of("add", "python"),
                        List.of("add", "cobol", "x"),
                        List.of("add", "bash", "jq"),
                        List.of("add", "python", "http://elsewhere/x.whl"),
                        List.of("add", "python", "--index-url=x"),
                        List.of("add", "python", "--", "--pre"),
                        List.of("list", "more"),
                        List.of("remove"),
                        List.of("remove", "../.."))) {
            List<String> all = new ArrayList<>(List.of("layer"));
            all.addAll(words);
            assertThat(run(all.toArray(String[]::new)).exit()).as(all.toString()).isEqualTo(2);
        }
        assertThat(asked).isEmpty();
        assertThat(run("layer", "--help").out()).contains("glovebox layer add LANGUAGE");
    }
}
