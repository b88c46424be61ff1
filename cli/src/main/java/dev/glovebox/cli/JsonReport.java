package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import dev.glovebox.agent.OutcomeJson;
import dev.glovebox.agent.ReceiptJson;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The one document that {@code --json} puts on standard output. */
final class JsonReport {

    private final Shell shell;

    JsonReport(Shell shell) {
        this.shell = shell;
    }

    /** Writes a part of a document. */
    @FunctionalInterface
    interface Part {
        void write(JsonGenerator json) throws IOException;
    }

    /** Puts out one object, indented for a person, on one line for a program. */
    void object(Part content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
                if (shell.terminal().getAsBoolean()) {
                    json.setPrettyPrinter(
                            new DefaultPrettyPrinter(
                                    Separators.createDefaultInstance()
                                            .withObjectFieldValueSpacing(
                                                    Separators.Spacing.AFTER)));
                }
                json.writeStartObject();
                content.write(json);
                json.writeEndObject();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not from memory to memory
        }
        bytes.write('\n');
        try {
            bytes.writeTo(shell.out());
        } catch (IOException e) {
            throw OutputLost.writing("The JSON document", e);
        }
    }

    void problem(Problem problem) {
        try {
            object(json -> field(json, "error", () -> write(json, problem)));
        } catch (OutputLost e) {
            return; // the sentence on standard error has to do
        }
    }

    /** Of a run, the record of which does not say what became of it. */
    void lost(RunRecord written, Problem problem) {
        object(json -> {
            write(json, written);
            field(json, "error", () -> write(json, problem));
        });
    }

    private static void write(JsonGenerator json, Problem problem) throws IOException {
        json.writeStringField("type", problem.type());
        if (problem.control().isPresent()) {
            json.writeStringField("control", problem.control().get());
        }
        json.writeStringField("message", problem.message());
    }

    /**
     * @param written its trace, if it was to be recorded
     */
    void result(Result result, Optional<RunRecord> written) {
        object(json -> {
            if (written.isPresent()) {
                write(json, written.get());
            }
            field(json, "outcome", () -> OutcomeJson.write(json, result.outcome()));
            field(json, "stdout", () -> write(json, result.stdout()));
            field(json, "stderr", () -> write(json, result.stderr()));
            field(json, "usage", () -> write(json, result.usage()));
            pressure(json, result.pressure());
            connections(json, result.connections());
            field(json, "receipt", () -> ReceiptJson.write(json, result.receipt()));
            field(json, "files", () -> files(json, result.files()));
            field(json, "refused_files", () -> texts(json, result.refusedFiles()));
        });
    }

    static void write(JsonGenerator json, RunRecord written) throws IOException {
        json.writeStringField("run", written.run());
        json.writeStringField("record", written.state().toString());
        if (written.problem().isPresent()) {
            json.writeStringField("record_problem", written.problem().get());
        }
    }

    /** The body of an object, which writes to a generator it knows. */
    @FunctionalInterface
    interface Fields {
        void write() throws IOException;
    }

    static void field(JsonGenerator json, String name, Fields content) throws IOException {
        json.writeObjectFieldStart(name);
        content.write();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, Output output) throws IOException {
        byte[] bytes = output.bytes();
        Optional<String> text = text(bytes);
        if (text.isPresent()) {
            json.writeStringField("text", text.get());
        } else {
            json.writeBinaryField("base64", bytes);
        }
        json.writeNumberField("bytes", output.total());
        json.writeBooleanField("truncated", output.truncated());
        if (output.truncated()) {
            // Where the hole is, which cannot be seen in the text.
            json.writeNumberField("head_bytes", output.head().length);
            json.writeNumberField("tail_bytes", output.tail().length);
        }
    }

    /** The text that gives these very bytes back, if there is one. */
    static Optional<String> text(byte[] bytes) {
        try {
            return Optional.of(
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static void write(JsonGenerator json, Usage usage) throws IOException {
        json.writeNumberField("wall_ms", usage.wall().toMillis());
        json.writeNumberField("cpu_ms", usage.cpu().toMillis());
        json.writeNumberField("peak_memory_bytes", usage.peakMemory().count());
    }

    private static void pressure(JsonGenerator json, List<Pressure> all) throws IOException {
        json.writeArrayFieldStart("pressure");
        for (Pressure pressure : all) {
            json.writeStartObject();
            json.writeStringField("limit", pressure.limit().toString());
            json.writeStringField("detail", pressure.detail());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void connections(JsonGenerator json, List<Connection> all) throws IOException {
        json.writeArrayFieldStart("connections");
        for (Connection connection : all) {
            json.writeStartObject();
            json.writeStringField("host", connection.host());
            json.writeNumberField("port", connection.port());
            json.writeStringField("fate", connection.fate().toString());
            json.writeStringField("detail", connection.detail());
            json.writeNumberField("at_ms", connection.at().toMillis());
            json.writeNumberField("lasted_ms", connection.lasted().toMillis());
            json.writeNumberField("sent_bytes", connection.sent().count());
            json.writeNumberField("received_bytes", connection.received().count());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    private static void files(JsonGenerator json, Map<String, byte[]> files) throws IOException {
        for (Map.Entry<String, byte[]> file : new TreeMap<>(files).entrySet()) {
            field(
                    json,
                    file.getKey(),
                    () -> {
                        json.writeNumberField("bytes", file.getValue().length);
                        json.writeStringField("sha256", sha256(file.getValue()));
                    });
        }
    }

    private static void texts(JsonGenerator json, Map<String, String> texts) throws IOException {
        for (Map.Entry<String, String> text : new TreeMap<>(texts).entrySet()) {
            json.writeStringField(text.getKey(), text.getValue());
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
