package dev.glovebox.sandbox.opensandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** The server's interface inside of one box: commands and files, by absolute path. */
final class Execd {

    static final int PORT = 44772;

    // Some forty thousand files.
    private static final int LARGEST_LIST = 8 << 20;
    // Uploads are as slow as the line to the server.
    private static final Duration UPLOAD = Duration.ofMinutes(1);

    private final Wire wire;

    Execd(Wire wire) {
        this.wire = wire;
    }

    void ping() throws IOException {
        wire.download("/ping", 1 << 16);
    }

    JsonNode metrics() throws IOException {
        return wire.get("/metrics");
    }

    /** Starts a command; the answer is a stream of events. */
    InputStream command(String command, String directory) throws IOException {
        ObjectNode request = Wire.JSON.createObjectNode();
        request.put("command", command).put("cwd", directory).put("background", false);
        return wire.stream("/command", request);
    }

    JsonNode about(String path) throws IOException {
        JsonNode answer = wire.get("/files/info?path=" + Wire.encoded(path));
        JsonNode told = answer.get(path);
        if (told == null || !told.isObject()) {
            throw ServerTrouble.nonsense("it tells of another file than was asked for");
        }
        return told;
    }

    JsonNode list(String path) throws IOException {
        return wire.get("/directories/list?depth=1&path=" + Wire.encoded(path), LARGEST_LIST);
    }

    byte[] download(String path, long most) throws IOException {
        return wire.download("/files/download?path=" + Wire.encoded(path), most);
    }

    void makeDirectory(String path) throws IOException {
        ObjectNode request = Wire.JSON.createObjectNode();
        request.putObject(path).put("mode", 755);
        wire.post("/directories", request);
    }

    void move(String from, String to) throws IOException {
        ArrayNode request = Wire.JSON.createArrayNode();
        request.addObject().put("src", from).put("dest", to);
        wire.post("/files/mv", request);
    }

    void deleteFile(String path) throws IOException {
        wire.delete("/files?path=" + Wire.encoded(path));
    }

    void deleteDirectory(String path) throws IOException {
        wire.delete("/directories?path=" + Wire.encoded(path));
    }

    void upload(String path, byte[] content) throws IOException {
        upload(Map.of(path, content), 644);
    }

    /**
     * Writes files.
     *
     * @param mode a decimal that looks octal, as the interface wants it
     */
    void upload(Map<String, byte[]> files, int mode) throws IOException {
        String boundary = "glovebox-" + UUID.randomUUID();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        for (Map.Entry<String, byte[]> one : files.entrySet()) {
            ObjectNode metadata = Wire.JSON.createObjectNode();
            metadata.put("path", one.getKey()).put("mode", mode);
            part(
                    body,
                    boundary,
                    "metadata",
                    "application/json",
                    Wire.JSON.writeValueAsBytes(metadata));
            part(body, boundary, "file", "application/octet-stream", one.getValue());
        }
        body.write(("--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII));
        wire.post(
                "/files/upload",
                body.toByteArray(),
                "multipart/form-data; boundary=" + boundary,
                UPLOAD);
    }

    private static void part(
            ByteArrayOutputStream to, String boundary, String name, String type, byte[] content)
            throws IOException {
        String head =
                "--%s\r\nContent-Disposition: form-data; name=\"%s\"; filename=\"%s\"\r\nContent-Type: %s\r\n\r\n"
                        .formatted(boundary, name, name, type);
        to.write(head.getBytes(StandardCharsets.US_ASCII));
        to.write(content);
        to.write("\r\n".getBytes(StandardCharsets.US_ASCII));
    }
}
