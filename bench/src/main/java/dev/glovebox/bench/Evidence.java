package dev.glovebox.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.CanonicalJson;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunQuery;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The record of an agent's run, for who would write it knowing each of its bytes beforehand. No
 * recorder that keeps the format can do with less.
 */
@State(Scope.Benchmark)
public class Evidence {

    private static final Pattern DIGEST = Pattern.compile("\"blob\":\"([0-9a-f]{64})\"");
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int HASH = 32;

    // About as much as a measurement of a recorder leaves in memory.
    private static final int MOST_KEPT = 100_000;

    private final List<Line> lines = new ArrayList<>();
    private final List<byte[]> kept = new ArrayList<>();
    private final Map<String, byte[]> contents = new HashMap<>();
    private MessageDigest digest;
    private MessageDigest replay;
    private PrivateKey key;

    /**
     * One record.
     *
     * @param time where its time is, to the microsecond
     * @param prev where the hash of the one before is
     * @param mark what it adds to the replay digest
     * @param contents that come with it
     */
    private record Line(
            byte[] bytes, int time, int hash, int prev, byte[] mark, List<byte[]> contents) {

        private static Line of(Entry entry, List<byte[]> contents) {
            String text = entry.toString();
            ObjectNode mark = JsonNodeFactory.instance.objectNode();
            mark.set("derived", entry.event().body().derived());
            return new Line(
                    text.getBytes(StandardCharsets.UTF_8),
                    behind("{\"at\":", text),
                    behind("\"hash\":\"", text),
                    behind("\"prev\":\"", text),
                    CanonicalJson.bytes(mark.put("type", entry.type())),
                    contents);
        }

        private static int behind(String label, String text) {
            return text.lastIndexOf(label) + label.length();
        }

        /** Of all of it but the hash itself. */
        private byte[] hash(byte[] line, MessageDigest digest) {
            int label = hash - "\"hash\":\"".length();
            int rest = hash + 2 * HASH + "\",".length();
            digest.update(line, 0, label);
            digest.update(line, rest, line.length - rest);
            return digest.digest();
        }
    }

    @Setup(Level.Trial)
    public void record() throws GeneralSecurityException {
        digest = MessageDigest.getInstance("SHA-256");
        replay = MessageDigest.getInstance("SHA-256");
        key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
        try (Scratch scratch = new Scratch();
                Trace trace = Trace.open(new MemoryStore(), scratch.file("keys"));
                Runs runs = Runs.in(trace)) {
            new GloveboxAgent().run(runs, RunOptions.titled("bench"));
            String run = trace.runs(RunQuery.newest(1)).getFirst().run();
            Set<String> seen = new HashSet<>();
            try (Stream<Entry> entries = trace.entries(run, 0)) {
                entries.forEach(entry -> {
                    List<byte[]> with = new ArrayList<>();
                    find(entry.toString(), trace, seen, with);
                    lines.add(Line.of(entry, with));
                });
            }
        }
    }

    private static void find(String text, Trace trace, Set<String> seen, List<byte[]> found) {
        Matcher named = DIGEST.matcher(text);
        while (named.find()) {
            if (seen.add(named.group(1))) {
                Blob blob = trace.blob(named.group(1)).orElseThrow();
                found.add(blob.content());
                find(new String(blob.content(), StandardCharsets.UTF_8), trace, seen, found);
            }
        }
    }

    /** The hash of each record, of what it derives, and of each content. */
    int digests() {
        int sum = 0;
        for (Line line : lines) {
            for (byte[] content : line.contents()) {
                sum += digest.digest(content)[0];
            }
            sum += line.hash(line.bytes(), digest)[0] + digest.digest(line.mark())[0];
        }
        return sum;
    }

    /** Writes it once more: with other times, and so with other hashes. */
    int write() {
        if (kept.size() > MOST_KEPT) {
            kept.clear();
            contents.clear();
        }
        byte[] head = new byte[HASH];
        for (Line line : lines) {
            for (byte[] content : line.contents()) {
                byte[] name = new byte[2 * HASH];
                hex(digest.digest(content), name, 0);
                contents.put(new String(name, StandardCharsets.ISO_8859_1), content.clone());
            }
            byte[] copy = line.bytes().clone();
            time(copy, line.time());
            hex(head, copy, line.prev());
            head = line.hash(copy, digest);
            hex(head, copy, line.hash());
            kept.add(copy);
            replay.update(digest.digest(line.mark()));
        }
        return replay.digest()[0] + head[0];
    }

    private static void time(byte[] line, int at) {
        long micros = System.currentTimeMillis() * 1_000;
        int end = at;
        while (line[end] != ',') {
            end++;
        }
        for (int i = end - 1; i >= at; i--) {
            line[i] = (byte) ('0' + micros % 10);
            micros /= 10;
        }
    }

    private static void hex(byte[] hash, byte[] to, int at) {
        for (int i = 0; i < HASH; i++) {
            to[at + 2 * i] = HEX[hash[i] >> 4 & 15];
            to[at + 2 * i + 1] = HEX[hash[i] & 15];
        }
    }

    /** What was written last, as texts. */
    List<String> lastWritten() {
        return kept.subList(kept.size() - lines.size(), kept.size()).stream()
                .map(line -> new String(line, StandardCharsets.UTF_8))
                .toList();
    }

    /** The signature of the end. */
    byte[] signature() throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(lines.getLast().bytes());
        return signature.sign();
    }
}
