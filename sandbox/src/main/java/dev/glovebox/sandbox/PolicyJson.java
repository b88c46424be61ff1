package dev.glovebox.sandbox;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes a policy in one form only: canonical JSON (RFC 8785) with every field, so that the same
 * policy is the same bytes wherever it is written.
 */
final class PolicyJson {

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE).build();

    private final Policy policy;
    private final JsonGenerator out;

    private PolicyJson(Policy policy, JsonGenerator out) {
        this.policy = policy;
        this.out = out;
    }

    static String write(Policy policy) {
        StringWriter text = new StringWriter();
        try (JsonGenerator out = JSON.createGenerator(text)) {
            new PolicyJson(policy, out).write();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static String digest(Policy policy) {
        try {
            byte[] json = write(policy).getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(json));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java has SHA-256", e);
        }
    }

    /** Writes the fields in the order of their names, as RFC 8785 asks. */
    private void write() throws IOException {
        out.writeStartObject();
        words("env", policy.env());
        files();
        // Older than this field are the digests of policies without it.
        if (policy.image().isPresent()) {
            out.writeStringField("image", policy.image().get());
        }
        install();
        word("isolation", policy.isolation());
        limits();
        word("memory-enforcement", policy.memoryEnforcement());
        network();
        word("output-overflow", policy.outputOverflow());
        Map<String, String> runtime = new TreeMap<>();
        policy.runtime()
                .forEach((language, path) -> runtime.put(language.toString(), path.toString()));
        words("runtime", runtime);
        Map<String, String> tools = new TreeMap<>();
        policy.tools().forEach((name, rule) -> tools.put(name, Wording.word(rule)));
        words("tools", tools);
        out.writeEndObject();
    }

    private void files() throws IOException {
        out.writeArrayFieldStart("files");
        for (FileGrant grant : policy.files()) {
            out.writeStartObject();
            out.writeStringField("box", grant.box());
            out.writeStringField("host", grant.host().toString());
            word("mode", grant.mode());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    private void install() throws IOException {
        out.writeObjectFieldStart("install");
        word(
                "network",
                policy.install().packageIndex()
                        ? PolicyFile.InstallNetwork.PACKAGE_INDEX
                        : PolicyFile.InstallNetwork.NONE);
        out.writeStringField("wall", Durations.format(policy.install().wall()));
        out.writeEndObject();
    }

    private void limits() throws IOException {
        Limits limits = policy.limits();
        out.writeObjectFieldStart("limits");
        out.writeStringField("cpu-time", Durations.format(limits.cpuTime()));
        out.writeFieldName("cpus");
        out.writeNumber(BigDecimal.valueOf(limits.cpus()).stripTrailingZeros().toPlainString());
        out.writeStringField("disk", limits.disk().toString());
        // Older than this field are the digests of policies that leave it as it is.
        if (!limits.diskRate().equals(Limits.DEFAULT.diskRate())) {
            out.writeStringField("disk-rate", limits.diskRate().toString());
        }
        out.writeStringField("memory", limits.memory().toString());
        out.writeNumberField("open-files", limits.openFiles());
        out.writeStringField("output", limits.output().toString());
        out.writeNumberField("processes", limits.processes());
        out.writeStringField("wall", Durations.format(limits.wall()));
        out.writeEndObject();
    }

    private void network() throws IOException {
        out.writeObjectFieldStart("network");
        out.writeArrayFieldStart("allow");
        for (HostPort place : policy.network()) {
            out.writeString(place.toString());
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    private void word(String name, Enum<?> value) throws IOException {
        out.writeStringField(name, Wording.word(value));
    }

    private void words(String name, Map<String, String> sorted) throws IOException {
        out.writeObjectFieldStart(name);
        for (Map.Entry<String, String> entry : sorted.entrySet()) {
            out.writeStringField(entry.getKey(), entry.getValue());
        }
        out.writeEndObject();
    }
}
