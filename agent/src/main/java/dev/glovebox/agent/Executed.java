package dev.glovebox.agent;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.glovebox.sandbox.Connection;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Output;
import dev.glovebox.sandbox.Pressure;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Usage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * What came of a program, as it is recorded.
 *
 * @param out what stdout was; the bytes that were kept of it are {@code stdout}
 * @param stdin the first part of what was passed on to the program while it ran
 * @param stdinBytes how much that was in all
 * @param connections those that were asked for at the gate of the box
 * @param files those that were asked for, or that are new or not as they were
 * @param removed inputs that were not there any more, where somebody looked for that
 * @param refused files that were left but are not kept, and why; at most a few
 * @param receipt as in the document that commands give
 */
public record Executed(
        @JsonSerialize(using = OutcomeJson.Writer.class)
                @JsonDeserialize(using = OutcomeJson.Reader.class)
                Outcome outcome,
        Extent out,
        byte[] stdout,
        Extent err,
        byte[] stderr,
        byte[] stdin,
        long stdinBytes,
        Usage usage,
        List<Pressure> pressure,
        List<Connection> connections,
        Map<String, byte[]> files,
        List<String> removed,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> refused,
        JsonNode receipt) {

    public Executed {
        // Records from before anybody looked do not have them.
        connections = connections == null ? List.of() : List.copyOf(connections);
        removed = removed == null ? List.of() : List.copyOf(removed);
        refused =
                Collections.unmodifiableMap(
                        refused == null ? new TreeMap<>() : new TreeMap<>(refused));
    }

    /**
     * What was written to a stream.
     *
     * @param head how many of the kept bytes are the first ones; the others are the last ones
     * @param total how many bytes there were
     * @param digest SHA-256 of all of them
     */
    public record Extent(int head, long total, String digest) {

        static Extent of(Output output) {
            return new Extent(output.head().length, output.total(), output.digest());
        }
    }

    static Executed of(Result result, StandardInput.Passed input) {
        return of(result, input, result.files(), List.of(), Map.of());
    }

    static Executed of(Result result, StandardInput.Passed input, LeftFiles left) {
        return of(result, input, left.changed(), left.removed(), left.refused());
    }

    private static Executed of(
            Result result,
            StandardInput.Passed input,
            Map<String, byte[]> files,
            List<String> removed,
            Map<String, String> refused) {
        return new Executed(
                result.outcome(),
                Extent.of(result.stdout()),
                result.stdout().bytes(),
                Extent.of(result.stderr()),
                result.stderr().bytes(),
                input.first(),
                input.total(),
                result.usage(),
                result.pressure(),
                result.connections(),
                files,
                removed,
                refused,
                ReceiptJson.tree(result.receipt()));
    }

    /** The same with what was printed as somebody else would have it; files stay what they are. */
    Executed printing(UnaryOperator<String> change) {
        byte[] changedOut = changed(stdout, change);
        byte[] changedErr = changed(stderr, change);
        return new Executed(
                outcome,
                new Extent(Math.min(out.head(), changedOut.length), out.total(), out.digest()),
                changedOut,
                new Extent(Math.min(err.head(), changedErr.length), err.total(), err.digest()),
                changedErr,
                stdin,
                stdinBytes,
                usage,
                pressure,
                connections,
                files,
                removed,
                refused,
                receipt);
    }

    /**
     * A program can print one byte that is no text, and then a secret. So everything is looked at
     * as a model reads it, with a mark in the place of such bytes. They stay what they are where
     * there is nothing to change.
     */
    private static byte[] changed(byte[] bytes, UnaryOperator<String> change) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        String changed = change.apply(text);
        return changed.equals(text) ? bytes : changed.getBytes(StandardCharsets.UTF_8);
    }

    /** What is different in another execution of the same, beside times and measurements. */
    Optional<String> difference(Executed again) {
        StringJoiner different = new StringJoiner(", ");
        if (!OutcomeJson.sameEnding(outcome, again.outcome)) {
            different.add(
                    "the outcome (%s, now %s)"
                            .formatted(
                                    OutcomeJson.words(outcome), OutcomeJson.words(again.outcome)));
        }
        if (!out.digest.equals(again.out.digest)) {
            different.add("standard output");
        }
        if (!err.digest.equals(again.err.digest)) {
            different.add("standard error");
        }
        TreeSet<String> names = new TreeSet<>(files.keySet());
        names.addAll(again.files.keySet());
        names.stream()
                .filter(name -> !Arrays.equals(files.get(name), again.files.get(name)))
                .forEach(name -> different.add("the file " + name));
        if (!removed.equals(again.removed)) {
            different.add("the files that were removed");
        }
        return different.length() == 0 ? Optional.empty() : Optional.of(different.toString());
    }
}
