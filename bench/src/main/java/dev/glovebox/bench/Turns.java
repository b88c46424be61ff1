package dev.glovebox.bench;

import dev.glovebox.bench.Comparison.Contender;
import dev.glovebox.bench.Row.Figures;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the contenders of a comparison in turn, each time in a JVM of its own.
 *
 * <p>JMH by itself would measure one to the end and then the next; on a machine that has other work
 * to do such figures cannot be compared.
 */
final class Turns {

    private static final TimeValue ITERATION = TimeValue.seconds(2);
    private static final int WARM_UPS = 8;
    private static final int ITERATIONS = 3;

    // By all threads, divided by what was done.
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    private final int rounds;
    private final String executor;
    private final PrintStream progress;

    /**
     * Will measure.
     *
     * @param virtual whether virtual threads call what is measured, as those of a server do; they
     *     give way to each other for next to nothing, where others have to be woken
     */
    Turns(int rounds, boolean virtual, PrintStream progress) {
        this.rounds = rounds;
        this.executor = virtual ? "VIRTUAL" : "PLATFORM";
        this.progress = progress;
    }

    List<Row> measure(Comparison comparison) throws RunnerException {
        Map<Contender, List<Figures>> figures = new LinkedHashMap<>();
        for (int round = 1; round <= rounds; round++) {
            for (Contender contender : comparison.contenders()) {
                progress.printf(
                        "%s, round %d of %d: %s%n",
                        comparison.name(), round, rounds, contender.name());
                figures.computeIfAbsent(contender, any -> new ArrayList<>())
                        .add(figures(comparison, contender));
            }
        }
        List<Figures> first = figures.values().iterator().next();
        return figures.entrySet().stream()
                .map(entry -> Row.of(entry.getKey(), entry.getValue(), first))
                .toList();
    }

    private Figures figures(Comparison comparison, Contender contender) throws RunnerException {
        String benchmark = comparison.benchmarks().getName() + "." + contender.method();
        Options options =
                new OptionsBuilder()
                        .include("^" + Pattern.quote(benchmark) + "$")
                        .mode(Mode.Throughput)
                        .forks(1)
                        .warmupIterations(WARM_UPS)
                        .warmupTime(ITERATION)
                        .measurementIterations(ITERATIONS)
                        .measurementTime(ITERATION)
                        .jvmArgsAppend("-Djmh.executor=" + executor)
                        .addProfiler(GCProfiler.class)
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build();
        RunResult result = new Runner(options).runSingle();
        return new Figures(
                result.getPrimaryResult().getScore(),
                Objects.requireNonNull(result.getSecondaryResults().get(ALLOCATED)).getScore());
    }
}
