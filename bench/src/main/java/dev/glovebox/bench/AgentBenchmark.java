package dev.glovebox.bench;

import dev.glovebox.run.RunOptions;
import dev.glovebox.run.Runs;
import dev.glovebox.trace.MemoryStore;
import dev.glovebox.trace.Trace;
import java.security.GeneralSecurityException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What an agent costs beside its model and its tool: one round trip is an answer that has a tool
 * called, and the result of that. The model answers at once.
 */
public class AgentBenchmark {

    /** Theirs. */
    @State(Scope.Benchmark)
    public static class LangChain {
        private final LangChainAgent agent = new LangChainAgent();
    }

    /** Theirs. */
    @State(Scope.Benchmark)
    public static class Adk {
        private final AdkAgent agent = new AdkAgent();
    }

    private static final RunOptions TRACED = RunOptions.titled("bench");
    private static final RunOptions UNTRACED = TRACED.untraced();

    /** Ours, with a chained trace in memory: a new one each time, or it would fill that. */
    @State(Scope.Benchmark)
    public static class Ours {

        private final GloveboxAgent agent = new GloveboxAgent();
        private Scratch scratch;
        private Trace trace;
        private Runs runs;

        @Setup(Level.Iteration)
        public void open() {
            scratch = new Scratch();
            trace = Trace.open(new MemoryStore(), scratch.file("keys"));
            runs = Runs.in(trace);
        }

        @TearDown(Level.Iteration)
        public void close() {
            runs.close();
            trace.close();
            scratch.close();
        }
    }

    /** The smallest record, and a second processor that writes it. */
    @State(Scope.Benchmark)
    public static class LeastBefore extends Scribes {
        @Override
        Scribe scribe(Evidence evidence) {
            return new Scribe(evidence.inLeastForm(), false);
        }
    }

    /** The smallest record, and both processors. */
    @State(Scope.Benchmark)
    public static class LeastShared extends Scribes {
        @Override
        Scribe scribe(Evidence evidence) {
            return new Scribe(evidence.inLeastForm(), true);
        }
    }

    /** The smallest record of our format, and both processors. */
    @State(Scope.Benchmark)
    public static class LeastOfFormatShared extends Scribes {
        @Override
        Scribe scribe(Evidence evidence) {
            return new Scribe(evidence.inLeastFormOfFormat(), true);
        }
    }

    /** The smallest record with several events in one of its lines, and both processors. */
    @State(Scope.Benchmark)
    public static class TogetherShared extends Scribes {
        @Override
        Scribe scribe(Evidence evidence) {
            return new Scribe(evidence.together(), true);
        }
    }

    /** Our record, and both processors. */
    @State(Scope.Benchmark)
    public static class Shared extends Scribes {
        @Override
        Scribe scribe(Evidence evidence) {
            return new Scribe(evidence.asItIs(), true);
        }
    }

    /** A scribe while it is measured. */
    @State(Scope.Benchmark)
    public abstract static class Scribes {

        private Scribe scribe;

        abstract Scribe scribe(Evidence evidence);

        @Setup(Level.Trial)
        public void start(Evidence evidence) {
            scribe = scribe(evidence);
        }

        @TearDown(Level.Trial)
        public void stop() {
            scribe.close();
        }

        /** How many lines there are. */
        long written() {
            return scribe.written();
        }
    }

    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String langChain(LangChain theirs) {
        return theirs.agent.run();
    }

    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String adk(Adk theirs) {
        return theirs.agent.run();
    }

    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String memory(Ours ours) {
        return ours.agent.run(ours.runs, TRACED);
    }

    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String untraced(Ours ours) {
        return ours.agent.run(ours.runs, UNTRACED);
    }

    /** With the digests of its record, and no record. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int digests(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.asItIs().digests();
    }

    /** With its record, written by somebody who knew it beforehand, and signed by nobody. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int known(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.asItIs().write();
    }

    /** The same, while the next run goes on. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String behind(Ours ours, Evidence evidence, Clerk clerk) throws InterruptedException {
        String answer = untraced(ours);
        clerk.order(evidence.asItIs());
        return answer;
    }

    /** With the digests of the smallest record that the trace format allows, and no record. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int leastOfFormatDigests(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.inLeastFormOfFormat().digests();
    }

    /** With that record, written by both processors, each intent before its effect. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String leastOfFormatShared(Ours ours, LeastOfFormatShared second) {
        return recorded(ours, second);
    }

    /** With the digests of the smallest record that we know of, and no record. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int leastDigests(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.inLeastForm().digests();
    }

    /** With that record, known beforehand as well. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int least(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.inLeastForm().write();
    }

    /** The same, while the next run goes on. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String leastBehind(Ours ours, Evidence evidence, Clerk clerk)
            throws InterruptedException {
        String answer = untraced(ours);
        clerk.order(evidence.inLeastForm());
        return answer;
    }

    /** The same, each intent before its effect. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String leastBefore(Ours ours, LeastBefore second) {
        return recorded(ours, second);
    }

    /** The same, with the contents kept here meanwhile. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String leastShared(Ours ours, LeastShared second) {
        return recorded(ours, second);
    }

    /** The same with our records. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String shared(Ours ours, Shared second) {
        return recorded(ours, second);
    }

    /** With the digests of the smallest record that has one line for each effect. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int togetherDigests(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.together().digests();
    }

    /** With that record, known beforehand as well. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public int together(Ours ours, Evidence evidence) {
        return untraced(ours).length() + evidence.together().write();
    }

    /** The same, written by both processors, each intent before its effect. */
    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public String togetherShared(Ours ours, TogetherShared second) {
        return recorded(ours, second);
    }

    private static String recorded(Ours ours, Scribes second) {
        String answer = ours.agent.run(ours.runs, UNTRACED, second.scribe::beforeEffect);
        second.scribe.end();
        return answer;
    }

    @Benchmark
    @OperationsPerInvocation(Sums.ROUNDS)
    public byte[] signature(Evidence evidence) throws GeneralSecurityException {
        return evidence.signature();
    }
}
