package dev.glovebox.cli;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs contenders turn by turn, so that whatever else the machine does falls on all of them alike.
 */
final class ExecBench {

    // Until Java has compiled what it runs: a server pays that once, not with each box.
    private static final int WARM_UP = 3_000;
    private static final Duration WARM_UP_TIME = Duration.ofSeconds(10);
    private static final double MILLI = 1e6;
    // Throughput is measured in slices of this many runs, taken in turns as well.
    private static final int SLICE = 10;
    private static final int SLICES = 4;

    /**
     * What was measured of one contender.
     *
     * @param p50 of a single run, in milliseconds
     * @param perSecond runs by one worker
     * @param perSecondTwo runs by two workers at once
     * @param ratio of its p50 to that of the first row
     */
    record Row(
            String name,
            double p50,
            double p99,
            double perSecond,
            double perSecondTwo,
            double ratio,
            int runs) {}

    private final List<Contender> contenders;
    private final int rounds;
    private final Shell shell;
    private final Interruption interruption;

    ExecBench(List<Contender> contenders, int rounds, Shell shell, Interruption interruption) {
        this.contenders = contenders;
        this.rounds = rounds;
        this.shell = shell;
        this.interruption = interruption;
    }

    List<Row> run() {
        for (Contender contender : contenders) {
            shell.say("warming up: " + contender.name());
            long end = System.nanoTime() + WARM_UP_TIME.toNanos();
            for (int i = 0; i < WARM_UP && (i == 0 || System.nanoTime() < end); i++) {
                run(contender);
            }
        }
        double[][] millis = new double[contenders.size()][rounds];
        shell.say(rounds + " rounds of " + contenders.size());
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < contenders.size(); i++) {
                int turn = (i + round) % contenders.size();
                long start = System.nanoTime();
                run(contenders.get(turn));
                millis[turn][round] = (System.nanoTime() - start) / MILLI;
            }
        }
        double[] alone = throughput(1);
        double[] two = throughput(2);
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            Arrays.sort(millis[i]);
            double p50 = percentile(millis[i], 50);
            double ratio = p50 / percentile(millis[0], 50);
            double p99 = percentile(millis[i], 99);
            rows.add(new Row(contenders.get(i).name(), p50, p99, alone[i], two[i], ratio, rounds));
        }
        return rows;
    }

    private static double percentile(double[] sorted, int percent) {
        return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
    }

    private double[] throughput(int workers) {
        shell.say("throughput with " + workers + (workers == 1 ? " worker" : " workers"));
        double[] seconds = new double[contenders.size()];
        int slices = Math.clamp(rounds / SLICE, 1, SLICES);
        int each = Math.min(SLICE, rounds);
        try (ExecutorService pool = Executors.newFixedThreadPool(workers)) {
            for (int slice = 0; slice < slices; slice++) {
                for (int i = 0; i < contenders.size(); i++) {
                    Contender contender = contenders.get((i + slice) % contenders.size());
                    long start = System.nanoTime();
                    List<Future<?>> runs = new ArrayList<>();
                    for (int run = 0; run < each; run++) {
                        runs.add(pool.submit(() -> run(contender)));
                    }
                    runs.forEach(ExecBench::finish);
                    seconds[(i + slice) % contenders.size()] += (System.nanoTime() - start) / 1e9;
                }
            }
        }
        return Arrays.stream(seconds).map(spent -> slices * each / spent).toArray();
    }

    private void run(Contender contender) {
        interruption.check();
        contender.run();
    }

    private static void finish(Future<?> run) {
        try {
            run.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("A run failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted", e);
        }
    }
}
