package dev.glovebox.coder;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.glovebox.agent.OutcomeJson;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.trace.Blob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What happened when code was executed. It does not say whether that is good.
 *
 * @param attempt the number of the attempt, from 1
 * @param step what ended so: the installation, the program, or one of the plan's own programs
 * @param stdout what the program printed, as much of it as was kept
 * @param files what the program left behind
 * @param refused what it left as well but is not kept, and why; at most a few
 */
public record ExecutionReport(
        int attempt,
        Step step,
        @JsonSerialize(using = OutcomeJson.Writer.class)
                @JsonDeserialize(using = OutcomeJson.Reader.class)
                Outcome outcome,
        String stdout,
        String stderr,
        List<Left> files,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> refused,
        JsonNode receipt,
        Duration took) {

    public ExecutionReport {
        files = List.copyOf(files);
        // Records from before anybody told do not have them.
        refused =
                Collections.unmodifiableMap(
                        refused == null ? new TreeMap<>() : new TreeMap<>(refused));
    }

    /** Which part of an attempt. */
    public enum Step {
        INSTALL,
        RUN,
        TEST
    }

    /** A file that the program left, by the SHA-256 of its bytes. */
    public record Left(String name, long bytes, String digest) {

        static List<Left> of(Map<String, byte[]> files) {
            List<Left> all = new ArrayList<>();
            new TreeMap<>(files)
                    .forEach((name, content) ->
                            all.add(new Left(name, content.length, Blob.of(content).digest())));
            return all;
        }
    }
}
