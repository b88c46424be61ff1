package dev.glovebox.bench;

import dev.glovebox.bench.Comparison.Contender;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What came out for one contender.
 *
 * @param perSecond one figure for each round
 * @param ratio how many it does while the first one of the comparison does one
 */
record Row(Contender contender, List<Double> perSecond, double ratio) {

    /** Compares with the first one round by round: what slows down a machine slows down both. */
    static Row of(Contender contender, List<Double> perSecond, List<Double> first) {
        List<Double> ratios =
                IntStream.range(0, perSecond.size())
                        .mapToObj(round -> perSecond.get(round) / first.get(round))
                        .toList();
        return new Row(contender, perSecond, median(ratios));
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
