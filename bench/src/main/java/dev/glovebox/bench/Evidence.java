package dev.glovebox.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.bench.KnownRecord.Line;
import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.CanonicalJson;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunQuery;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The record of an agent's run, known beforehand: as it is, and in smaller forms that would do. */
@State(Scope.Benchmark)
public class Evidence {

    private static final Pattern DIGEST = Pattern.compile("\"blob\":\"([0-9a-f]{64})\"");
    private static final JsonMapper JSON = new JsonMapper();

    private KnownRecord record;
    private KnownRecord least;
    private KnownRecord leastOfFormat;
    private KnownRecord together;
    private byte[] head;
    private PrivateKey key;

    @Setup(Level.Trial)
    public void record() throws GeneralSecurityException, IOException {
        key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair().getPrivate();
        try (Scratch scratch = new Scratch();
                Trace trace = Trace.open(new MemoryStore(), scratch.file("keys"));
                Runs runs = Runs.in(trace)) {
            new GloveboxAgent().run(runs, RunOptions.titled("bench"));
            know(trace);
        }
    }

    private void know(Trace trace) throws IOException {
        String run = trace.runs(RunQuery.newest(1)).getFirst().run();
        List<Piece> pieces = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        List<Entry> entries;
        try (var recorded = trace.entries(run, 0)) {
            entries = recorded.toList();
        }
        for (Entry entry : entries) {
            List<byte[]> contents = new ArrayList<>();
            find(entry.toString(), trace, seen, contents);
            pieces.add(new Piece(JSON.readTree(entry.toString()), contents));
        }
        List<Piece> few = LeastForm.OF_ALL.of(pieces);
        record = known(pieces, true);
        leastOfFormat = known(LeastForm.OF_FORMAT.of(pieces), true);
        least = known(few, false);
        together = known(Piece.together(few), false);
        head = entries.getLast().bytes();
    }

    private static KnownRecord known(List<Piece> pieces, boolean marksApart) {
        return new KnownRecord(pieces.stream().map(Evidence::line).toList(), marksApart);
    }

    private static Line line(Piece piece) {
        ObjectNode mark = JsonNodeFactory.instance.objectNode();
        mark.set("derived", piece.entry().path("body").path("derived"));
        mark.set("type", piece.entry().path("type"));
        String text = new String(CanonicalJson.bytes(piece.entry()), StandardCharsets.UTF_8);
        return Line.of(text, CanonicalJson.bytes(mark), piece.contents());
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

    /** As it is. */
    KnownRecord asItIs() {
        return record;
    }

    /** In the smallest form. */
    KnownRecord inLeastForm() {
        return least;
    }

    /** In the smallest form that the trace format allows. */
    KnownRecord inLeastFormOfFormat() {
        return leastOfFormat;
    }

    /** In the smallest form, with several events in one record. */
    KnownRecord together() {
        return together;
    }

    /** The signature of the end. */
    byte[] signature() throws GeneralSecurityException {
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key);
        signature.update(head);
        return signature.sign();
    }
}
