package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import dev.glovebox.sandbox.BoxFiles;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Channel;
import dev.glovebox.sandbox.Chunk;
import dev.glovebox.sandbox.FileRefused;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.spi.TarWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The part of the server that sits in a box: commands and files of one jail. */
final class BoxInside {

    private final BoxServer.Held held;
    private final HttpExchange exchange;

    BoxInside(BoxServer.Held held, HttpExchange exchange) {
        this.held = held;
        this.exchange = exchange;
    }

    void answer(String path) throws IOException {
        try {
            switch (path) {
                case "/ping" -> done();
                case "/metrics" -> metrics();
                case "/command" -> command();
                case "/files/info" -> about();
                case "/files" -> delete();
                case "/directories" -> directories();
                case "/directories/list" -> list();
                case "/files/mv" -> move();
                case "/files/upload" -> upload();
                case "/files/download" ->
                        BoxServer.answer(
                                exchange, 200, files().read(path()), "application/octet-stream");
                default -> BoxServer.refuse(exchange, 404, "NOT_SUPPORTED");
            }
        } catch (FileRefused e) {
            if (path.equals("/files/info")) {
                BoxServer.refuse(exchange, 404, "FILE_NOT_FOUND");
            } else {
                BoxServer.refuse(exchange, 400, "INVALID_FILE " + e.getMessage());
            }
        } catch (BoxGone e) {
            BoxServer.refuse(exchange, 500, "RUNTIME_ERROR");
        }
    }

    private BoxFiles files() {
        return held.box().files();
    }

    private void done() throws IOException {
        BoxServer.answer(exchange, 200, Wire.JSON.createObjectNode());
    }

    private JsonNode body() throws IOException {
        return Wire.JSON.readTree(exchange.getRequestBody().readAllBytes());
    }

    private String path() {
        return relative(BoxServer.query(exchange).getOrDefault("path", ""));
    }

    private static String relative(String path) {
        if (path.equals(BoxServer.SCRATCH)) {
            return "";
        }
        if (!path.startsWith(BoxServer.SCRATCH + "/")) {
            throw new FileRefused(path);
        }
        return path.substring(BoxServer.SCRATCH.length() + 1);
    }

    private void metrics() throws IOException {
        JsonNode asked = held.request().path("resourceLimits");
        ObjectNode answer = Wire.JSON.createObjectNode();
        answer.put("cpu_count", BoxServer.cpus(asked)).put("cpu_used_pct", 0.0);
        answer.put(
                "mem_total_mib", Long.parseLong(asked.path("memory").asText().replace("Mi", "")));
        answer.put("mem_used_mib", 0).put("timestamp", Instant.now().toEpochMilli());
        BoxServer.answer(exchange, 200, answer);
    }

    private void about() throws IOException {
        String path = BoxServer.query(exchange).getOrDefault("path", "");
        ObjectNode answer = Wire.JSON.createObjectNode();
        answer.set(path, describe(files().stat(relative(path))));
        BoxServer.answer(exchange, 200, answer);
    }

    private static ObjectNode describe(BoxFiles.Entry entry) {
        return Wire.JSON
                .createObjectNode()
                .put("path", BoxServer.SCRATCH + "/" + entry.path())
                .put(
                        "type",
                        switch (entry.kind()) {
                            case FILE -> "file";
                            case DIRECTORY -> "directory";
                            case LINK -> "symlink";
                            case OTHER, UNNAMED -> "other";
                        })
                .put("size", entry.size())
                .put("modified_at", entry.modified().toString())
                .put("created_at", entry.modified().toString())
                .put("owner", "box")
                .put("group", "box")
                .put("mode", Integer.parseInt(Integer.toOctalString(entry.mode() & 07777)));
    }

    private void list() throws IOException {
        ArrayNode answer = Wire.JSON.createArrayNode();
        files().list(path()).forEach(entry -> answer.add(describe(entry)));
        BoxServer.answer(exchange, 200, answer);
    }

    private void delete() throws IOException {
        files().delete(path());
        done();
    }

    private void directories() throws IOException {
        if (exchange.getRequestMethod().equals("DELETE")) {
            delete();
            return;
        }
        body().fieldNames().forEachRemaining(path -> files().makeDirectory(relative(path)));
        done();
    }

    private void move() throws IOException {
        for (JsonNode one : body()) {
            files().move(relative(one.path("src").asText()), relative(one.path("dest").asText()));
        }
        done();
    }

    private void upload() throws IOException {
        String type = exchange.getRequestHeaders().getFirst("Content-Type");
        String boundary = type.replaceFirst(".*boundary=\"?([^\";]+)\"?.*", "$1");
        String all =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.ISO_8859_1);
        JsonNode metadata = Wire.JSON.createObjectNode();
        for (String part :
                ("\r\n" + all).split(java.util.regex.Pattern.quote("\r\n--" + boundary))) {
            int head = part.indexOf("\r\n\r\n");
            if (head < 0) {
                continue;
            }
            byte[] content = part.substring(head + 4).getBytes(StandardCharsets.ISO_8859_1);
            if (part.substring(0, head).contains("name=\"metadata\"")) {
                metadata = Wire.JSON.readTree(content);
            } else {
                write(metadata, content);
            }
        }
        done();
    }

    private void write(JsonNode metadata, byte[] content) throws IOException {
        String path = relative(metadata.path("path").asText());
        int mode = Integer.parseInt(metadata.path("mode").asText("644"), 8);
        if ((mode & 0100) == 0) {
            files().write(path, content);
            return;
        }
        ByteArrayOutputStream tar = new ByteArrayOutputStream();
        TarWriter writer = new TarWriter(tar);
        int slash = path.lastIndexOf('/');
        writer.file(path.substring(slash + 1), Instant.now(), mode, content);
        writer.finish();
        files().putTree(
                        slash < 0 ? "" : path.substring(0, slash),
                        new ByteArrayInputStream(tar.toByteArray()));
    }

    private void command() throws IOException {
        JsonNode request = body();
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        send(out, "init", UUID.randomUUID().toString());
        Lines lines = new Lines(out);
        Program program =
                Program.command("bash", "-c", request.path("command").asText()).stdin(new byte[0]);
        try {
            Outcome how = held.box().start(program, lines::take).await().outcome();
            lines.finish();
            if (how.equals(new Outcome.Exited(0))) {
                send(out, "execution_complete", "");
            } else {
                ObjectNode event = event("error", "");
                String code = how instanceof Outcome.Exited(int number) ? "" + number : "-1";
                event.putObject("error")
                        .put("ename", "CommandExecError")
                        .put("evalue", code)
                        .putArray("traceback")
                        .add("exit status " + code);
                send(out, event);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ObjectNode event(String type, String text) {
        return Wire.JSON
                .createObjectNode()
                .put("type", type)
                .put("text", text)
                .put("timestamp", System.currentTimeMillis());
    }

    private static void send(OutputStream out, String type, String text) throws IOException {
        send(out, event(type, text));
    }

    private static void send(OutputStream out, JsonNode event) throws IOException {
        synchronized (out) {
            out.write((event + "\n\n").getBytes(StandardCharsets.UTF_8));
            out.flush();
        }
    }

    /** Cuts output into lines, as the original does. */
    private static final class Lines {

        private final OutputStream out;
        private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        private final ByteArrayOutputStream stderr = new ByteArrayOutputStream();

        private ByteArrayOutputStream begun(Channel channel) {
            return channel == Channel.STDOUT ? stdout : stderr;
        }

        Lines(OutputStream out) {
            this.out = out;
        }

        void take(Chunk chunk) {
            ByteArrayOutputStream line = begun(chunk.channel());
            for (byte one : chunk.bytes()) {
                if (one == '\n') {
                    tell(chunk.channel(), line);
                } else {
                    line.write(one);
                }
            }
        }

        private void tell(Channel channel, ByteArrayOutputStream line) {
            try {
                send(out, channel.toString(), line.toString(StandardCharsets.UTF_8));
                line.reset();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void finish() {
            for (Channel channel : List.of(Channel.STDOUT, Channel.STDERR)) {
                if (begun(channel).size() > 0) {
                    tell(channel, begun(channel));
                }
            }
        }
    }
}
