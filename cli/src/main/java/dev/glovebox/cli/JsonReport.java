package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Limit;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Receipt;
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
import java.time.Duration;
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

    /** How a program ended, as it stands in a document. */
    static JsonNode tree(Outcome outcome) {
        try {
            return new JsonMapper().readTree(alone(json -> write(json, outcome)));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not from memory
        }
    }

    /** A receipt as it stands in a document. */
    static byte[] bytes(Receipt receipt) {
        return alone(json -> write(json, receipt));
    }

    private static byte[] alone(Part content) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = new JsonFactory().createGenerator(bytes)) {
            json.writeStartObject();
            content.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not from memory to memory
        }
        return bytes.toByteArray();
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
            throw new OutputLost("The JSON document cannot be written: " + e.getMessage(), e);
        }
    }

    void problem(Problem problem) {
        try {
            object(json -> field(json, "error", () -> write(json, problem)));
        } catch (OutputLost e) {
            return; // the sentence on standard error has to do
        }
    }

    private static void write(JsonGenerator json, Problem problem) throws IOException {
        json.writeStringField("type", problem.type());
        if (problem.control().isPresent()) {
            json.writeStringField("control", problem.control().get());
        }
        json.writeStringField("message", problem.message());
    }

    /**
     * @param run its trace, if it was recorded
     */
    void result(Result result, Optional<String> run) {
        object(json -> {
            if (run.isPresent()) {
                json.writeStringField("run", run.get());
            }
            field(json, "outcome", () -> write(json, result.outcome()));
            field(json, "stdout", () -> write(json, result.stdout()));
            field(json, "stderr", () -> write(json, result.stderr()));
            field(json, "usage", () -> write(json, result.usage()));
            pressure(json, result.pressure());
            field(json, "receipt", () -> write(json, result.receipt()));
            field(json, "files", () -> files(json, result.files()));
        });
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

    private static void write(JsonGenerator json, Outcome outcome) throws IOException {
        switch (outcome) {
            case Outcome.Exited(int code) -> {
                json.writeStringField("type", "exited");
                json.writeNumberField("code", code);
            }
            case Outcome.Signalled(int signal) -> {
                json.writeStringField("type", "signalled");
                json.writeNumberField("signal", signal);
            }
            case Outcome.TimedOut(Duration limit) -> {
                json.writeStringField("type", "timed-out");
                json.writeNumberField("limit_ms", limit.toMillis());
            }
            case Outcome.LimitHit(Limit limit, long value, long peak) -> {
                json.writeStringField("type", "limit-hit");
                json.writeStringField("limit", limit.toString());
                json.writeNumberField("value", value);
                json.writeNumberField("peak", peak);
            }
            case Outcome.Denied(String rule, String what) -> {
                json.writeStringField("type", "denied");
                json.writeStringField("rule", rule);
                json.writeStringField("what", what);
            }
            case Outcome.Cancelled(String reason) -> reason(json, "cancelled", reason);
            case Outcome.NotStarted(String reason) -> reason(json, "not-started", reason);
            case Outcome.Unknown(String reason) -> reason(json, "unknown", reason);
        }
    }

    private static void reason(JsonGenerator json, String type, String reason) throws IOException {
        json.writeStringField("type", type);
        json.writeStringField("reason", reason);
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

    private static void write(JsonGenerator json, Receipt receipt) throws IOException {
        json.writeStringField("tier", receipt.tier());
        json.writeStringField("tier_version", receipt.tierVersion());
        if (receipt.interpreter().isPresent()) {
            Interpreter interpreter = receipt.interpreter().get();
            field(json, "interpreter", () -> write(json, interpreter));
        }
        if (receipt.hostUid().isPresent()) {
            json.writeNumberField("host_uid", receipt.hostUid().getAsLong());
        }
        json.writeStringField("code_digest", receipt.codeDigest());
        field(
                json,
                "input_digests",
                () -> {
                    for (Map.Entry<String, String> input :
                            new TreeMap<>(receipt.inputDigests()).entrySet()) {
                        json.writeStringField(input.getKey(), input.getValue());
                    }
                });
        json.writeStringField("policy_digest", receipt.policyDigest());
        controls(json, receipt.controls());
        json.writeStringField("stdout_digest", receipt.stdoutDigest());
        json.writeStringField("stderr_digest", receipt.stderrDigest());
    }

    static void write(JsonGenerator json, Interpreter interpreter) throws IOException {
        json.writeStringField("language", interpreter.language().toString());
        json.writeStringField("path", interpreter.path().toString());
        json.writeStringField("version", interpreter.version());
    }

    static void controls(JsonGenerator json, List<Control> controls) throws IOException {
        json.writeArrayFieldStart("controls");
        for (Control control : controls) {
            json.writeStartObject();
            json.writeStringField("name", control.name());
            json.writeStringField("value", control.value());
            json.writeStringField("by", control.by());
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

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }
}
