package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.sandbox.Bytes;
import dev.glovebox.sandbox.Durations;
import dev.glovebox.sandbox.InvalidPolicy;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * All that is needed to run a program again, as it is recorded.
 *
 * @param policy in canonical JSON
 * @param tier the wall that was asked for
 * @param language of the source; empty: it is a command
 * @param name the file of the source, or the command
 * @param stdin all that the program can read; empty: what comes while it runs
 * @param layers digests of the installed packages that it sees, by where it sees them
 * @param keepsFiles whether the files are kept that it makes or changes
 */
public record Job(
        String policy,
        String policyDigest,
        Optional<String> tier,
        Optional<Language> language,
        String name,
        byte[] source,
        List<String> arguments,
        Map<String, String> env,
        Optional<byte[]> stdin,
        Map<String, byte[]> inputs,
        List<String> outputs,
        // Not written where they say nothing: older records do not have them.
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> layers,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean keepsFiles) {

    public Job {
        layers = layers == null ? Map.of() : Map.copyOf(layers);
    }

    private static final JsonMapper MAPPER = new JsonMapper();

    static Job of(Launch launch) {
        Policy policy = launch.policy();
        Program program = launch.program();
        Optional<Program.Script> script =
                program.code() instanceof Program.Script one ? Optional.of(one) : Optional.empty();
        String name =
                switch (program.code()) {
                    case Program.Script one -> one.filename();
                    case Program.Command command -> command.name();
                };
        return new Job(
                policy.json(),
                policy.digest(),
                launch.wall().name(),
                script.map(Program.Script::language),
                name,
                script.map(Program.Script::source).orElseGet(() -> new byte[0]),
                program.arguments(),
                program.env(),
                program.stdin(),
                program.inputs(),
                program.outputs(),
                launch.layers().stream()
                        .collect(Collectors.toMap(LayerMount::box, LayerMount::digest)),
                launch.keepsFiles());
    }

    /** All files that are in the box before the program runs. */
    Map<String, byte[]> filesBefore() {
        Map<String, byte[]> files = new TreeMap<>(inputs);
        if (language.isPresent()) {
            files.put(name, source);
        }
        return files;
    }

    /** What the program saw; only those who installed it know where it is. */
    List<LayerMount> mounts() {
        return layers.entrySet().stream()
                .map(layer ->
                        new LayerMount(
                                layer.getValue(),
                                layer.getKey(),
                                () -> {
                                    throw new InvalidPolicy(
                                            "The packages %s that it saw are not known here"
                                                    .formatted(layer.getValue()));
                                }))
                .toList();
    }

    Program program() {
        Program.Code code =
                language.<Program.Code>map(known -> new Program.Script(known, source, name))
                        .orElseGet(() -> new Program.Command(name));
        return new Program(code, arguments, env, stdin, inputs, outputs);
    }

    /**
     * Reads the policy, as it is understood here and now.
     *
     * @throws InvalidPolicy if it is not what it was, or speaks of files that are gone
     */
    Policy readPolicy() {
        Policy read = Policy.parse(policy, "the recorded policy", Path.of("/"));
        if (!read.digest().equals(policyDigest)) {
            throw new InvalidPolicy("The recorded policy does not mean the same here as it did");
        }
        return read;
    }

    /** The language or the command. */
    String what() {
        return language.map(Language::toString).orElse(name);
    }

    /** One line for people, with nothing private in it. */
    String title() {
        return language.map(known -> known + ": " + name).orElse(name);
    }

    int codeLength() {
        return language.isPresent() ? source.length : name.getBytes(StandardCharsets.UTF_8).length;
    }

    Duration wall() {
        return Durations.parse(limit("wall"));
    }

    Bytes memory() {
        return Bytes.parse(limit("memory"));
    }

    // Not by reading the policy, which looks at the files that it speaks of.
    private String limit(String which) {
        try {
            JsonNode limits = MAPPER.readTree(policy).path("limits");
            return limits.path(which).asText();
        } catch (JsonProcessingException e) {
            throw new InvalidPolicy("The recorded policy is not JSON", e);
        }
    }
}
