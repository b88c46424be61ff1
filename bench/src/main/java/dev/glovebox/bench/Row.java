package dev.glovebox.bench;

import dev.glovebox.bench.Comparison.Contender;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What came out for one contender.
 *
 * @param perSecond one figure for each round
 * @param ratio how many it does while the first one of the comparison does one
 * @param bytes how much memory it takes for one
 */
record Row(Contender contender, List<Double> perSecond, double ratio, double bytes) {

    /** What one round says of a contender. */
    record Figures(double perSecond, double bytes) {}

    /** Compares with the first one round by round: what slows down a machine slows down both. */
    static Row of(Contender contender, List<Figures> rounds, List<Figures> first) {
        List<Double> ratios =
                IntStream.range(0, rounds.size())
                        .mapToObj(i -> rounds.get(i).perSecond() / first.get(i).perSecond())
                        .toList();
        return new Row(
                contender,
                rounds.stream().map(Figures::perSecond).toList(),
                median(ratios),
                median(rounds.stream().map(Figures::bytes).toList()));
    }

    double median() {
        return median(perSecond);
    }

    double lowest() {
        return perSecond.stream().mapToDouble(Double::doubleValue).min().orElseThrow();
    }

    double highest() {
        return perSecond.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1
                ? sorted.get(middle)
                : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
