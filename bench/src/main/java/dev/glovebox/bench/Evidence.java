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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * What the record of an agent's run consists of: its digests and its signature can be computed by
 * themselves. No recorder that keeps the format can do with less.
 */
@State(Scope.Benchmark)
public class Evidence {

    private static final Pattern DIGEST = Pattern.compile("\"blob\":\"([0-9a-f]{64})\"");

    private static final Pattern HASH = Pattern.compile("\"hash\":\"[0-9a-f]{64}\",");

    private final List<byte[]> pieces = new ArrayList<>();
    private MessageDigest digest;
    private PrivateKey key;

    @Setup(Level.Trial)
    public void record() throws GeneralSecurityException {
        digest = MessageDigest.getInstance("SHA-256");
        key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
        try (Scratch scratch = new Scratch();
                Trace trace = Trace.open(new MemoryStore(), scratch.file("keys"));
                Runs runs = Runs.in(trace)) {
            new GloveboxAgent().run(runs, RunOptions.titled("bench"));
            String run = trace.runs(RunQuery.newest(1)).getFirst().run();
            Set<String> seen = new HashSet<>();
            try (Stream<Entry> entries = trace.entries(run, 0)) {
                entries.forEach(entry -> {
                    String line = entry.toString();
                    pieces.add(utf8(HASH.matcher(line).replaceFirst("")));
                    derived(entry);
                    keep(line, trace, seen);
                });
            }
        }
    }

    /** The replay digest is made of what each record derives. */
    private void derived(Entry entry) {
        ObjectNode mark = JsonNodeFactory.instance.objectNode();
        mark.set("derived", entry.event().body().derived());
        pieces.add(CanonicalJson.bytes(mark.put("type", entry.type())));
    }

    private void keep(String text, Trace trace, Set<String> seen) {
        Matcher found = DIGEST.matcher(text);
        while (found.find()) {
            if (seen.add(found.group(1))) {
                Blob blob = trace.blob(found.group(1)).orElseThrow();
                pieces.add(blob.content());
                keep(new String(blob.content(), StandardCharsets.UTF_8), trace, seen);
            }
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The hash of each record, of what it derives, and of each content. */
    byte[] digests() {
        byte[] sum = new byte[1];
        for (byte[] piece : pieces) {
            sum[0] ^= digest.digest(piece)[0];
        }
        return sum;
    }

    /** The signature of the end. */
    byte[] signature() throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(pieces.getFirst());
        return signature.sign();
    }
}
