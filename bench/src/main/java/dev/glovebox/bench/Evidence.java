package dev.glovebox.bench;

import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Blob;
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
 * themselves. No recorder that keeps the format can be faster than that.
 */
@State(Scope.Benchmark)
public class Evidence {

    private static final Pattern DIGEST = Pattern.compile("\"blob\":\"([0-9a-f]{64})\"");

    private final List<byte[]> records = new ArrayList<>();
    private final List<byte[]> contents = new ArrayList<>();
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
                entries.map(Entry::bytes)
                        .forEach(line -> {
                            records.add(line);
                            keep(line, trace, seen);
                        });
            }
        }
    }

    private void keep(byte[] text, Trace trace, Set<String> seen) {
        Matcher found = DIGEST.matcher(new String(text, StandardCharsets.UTF_8));
        while (found.find()) {
            if (seen.add(found.group(1))) {
                Blob blob = trace.blob(found.group(1)).orElseThrow();
                contents.add(blob.content());
                keep(blob.content(), trace, seen);
            }
        }
    }

    /** The hash of each record and of each content. */
    byte[] digests() {
        byte[] last = new byte[0];
        for (byte[] record : records) {
            last = digest.digest(record);
        }
        for (byte[] content : contents) {
            last[0] ^= digest.digest(content)[0];
        }
        return last;
    }

    /** The signature of the end. */
    byte[] signature() throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(records.getLast());
        return signature.sign();
    }
}
