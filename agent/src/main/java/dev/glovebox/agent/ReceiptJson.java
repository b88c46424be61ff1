package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Receipt;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A receipt, as it stands in documents and records. */
public final class ReceiptJson {

    private ReceiptJson() {}

    /** Writes the members of an object. */
    public static void write(JsonGenerator json, Receipt receipt) throws IOException {
        json.writeStringField("tier", receipt.tier());
        json.writeStringField("tier_version", receipt.tierVersion());
        if (receipt.interpreter().isPresent()) {
            json.writeObjectFieldStart("interpreter");
            write(json, receipt.interpreter().get());
            json.writeEndObject();
        }
        if (receipt.hostUid().isPresent()) {
            json.writeNumberField("host_uid", receipt.hostUid().getAsLong());
        }
        json.writeStringField("code_digest", receipt.codeDigest());
        json.writeObjectFieldStart("input_digests");
        for (Map.Entry<String, String> input : new TreeMap<>(receipt.inputDigests()).entrySet()) {
            json.writeStringField(input.getKey(), input.getValue());
        }
        json.writeEndObject();
        json.writeStringField("policy_digest", receipt.policyDigest());
        write(json, receipt.controls());
        json.writeStringField("stdout_digest", receipt.stdoutDigest());
        json.writeStringField("stderr_digest", receipt.stderrDigest());
    }

    /** Writes the members of an object. */
    public static void write(JsonGenerator json, Interpreter interpreter) throws IOException {
        json.writeStringField("language", interpreter.language().toString());
        json.writeStringField("path", interpreter.path().toString());
        json.writeStringField("version", interpreter.version());
    }

    /** Writes a member with all of them. */
    public static void write(JsonGenerator json, List<Control> controls) throws IOException {
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

    static JsonNode tree(Receipt receipt) {
        return Trees.of(json -> write(json, receipt));
    }
}
