package dev.glovebox.bench;

import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Recorder;
import dev.glovebox.trace.Trace;
import dev.glovebox.trace.Verdict;
import dev.glovebox.trace.Verifier;
import dev.glovebox.trace.store.SqliteStore;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A long run, verified, and what it would take to do no more than hash it once. */
@State(Scope.Benchmark)
public class VerifyBenchmark {

    private static final int RECORDS = 50_000;

    private final Scratch scratch = new Scratch();
    private final Path file = scratch.file("run.trace");
    private Trace trace;
    private Verifier verifier;
    private String run;
    private byte[] bytes;

    @Setup
    public void record() throws IOException {
        trace = Trace.open(SqliteStore.open(scratch.file("trace.db")), scratch.file("keys"));
        Recorder recorder = trace.start("bench", "verify", new byte[0], BlobRef.TEXT);
        while (recorder.size() < RECORDS - 1) {
            long i = recorder.size();
            var _ = recorder.submit(new Event.Noted("agent/loop:" + i, i, "x".repeat(40)));
        }
        recorder.finish("Completed");
        run = recorder.run();
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            trace.export(run, out);
        }
        bytes = Files.readAllBytes(file);
        verifier = Verifier.trusting(List.of(trace.key()));
    }

    @TearDown
    public void close() {
        trace.close();
        scratch.close();
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public byte[] sha256() throws GeneralSecurityException {
        return MessageDigest.getInstance("SHA-256").digest(bytes);
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public Verdict file() throws IOException {
        return intact(verifier.file(file));
    }

    @Benchmark
    @OperationsPerInvocation(RECORDS)
    public Verdict store() {
        return intact(trace.verify(run));
    }

    private static Verdict intact(Verdict verdict) {
        if (!(verdict instanceof Verdict.Intact)) {
            throw new IllegalStateException(verdict.sentence());
        }
        return verdict;
    }
}
