package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** Of recipes about numbers. */
final class NumberOracles {

    private static final int CERTAINTY = 40;

    private NumberOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("statistics", NumberOracles::statistics);
        all.put("fibonacci", NumberOracles::fibonacci);
        all.put("primes", NumberOracles::primes);
        all.put("sequence", NumberOracles::sequence);
        all.put("collatz", NumberOracles::collatz);
        all.put("prime-factors", NumberOracles::primeFactors);
        all.put("gcd-lcm", NumberOracles::gcdLcm);
        all.put("factorial", NumberOracles::factorial);
        all.put("combinations", NumberOracles::combinations);
    }

    static List<Double> numbers(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asDouble).toList();
    }

    static List<String> texts(JsonNode list) {
        return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
    }

    private static void statistics(JsonNode inputs, Printed printed) {
        List<Double> numbers = new ArrayList<>(numbers(inputs.path("numbers")));
        Collections.sort(numbers);
        DoubleSummaryStatistics summary =
                numbers.stream().mapToDouble(Double::doubleValue).summaryStatistics();
        double squares = numbers.stream().mapToDouble(each -> each * each).sum();
        double spread = squares / numbers.size() - summary.getAverage() * summary.getAverage();
        int size = numbers.size();
        for (String measure : texts(inputs.path("measures"))) {
            switch (measure) {
                case "mean" -> near(printed.after("Mean:"), summary.getAverage());
                case "median" ->
                        near(
                                printed.after("Median:"),
                                (numbers.get((size - 1) / 2) + numbers.get(size / 2)) / 2);
                case "mode" -> {
                    Map<Double, Long> counts =
                            numbers.stream()
                                    .collect(
                                            Collectors.groupingBy(
                                                    Function.identity(), Collectors.counting()));
                    long most = Collections.max(counts.values());
                    assertThat(Printed.numbers(printed.after("Mode:")))
                            .containsExactlyElementsOf(
                                    numbers.stream()
                                            .distinct()
                                            .filter(each -> counts.getOrDefault(each, 0L) == most)
                                            .toList());
                }
                case "stdev" -> {
                    near(printed.after("Standard deviation (population):"), Math.sqrt(spread));
                    near(
                            printed.after("Standard deviation (sample):"),
                            Math.sqrt(spread * size / (size - 1)));
                }
                case "variance" -> near(printed.after("Variance (population):"), spread);
                case "min" -> near(printed.after("Minimum:"), summary.getMin());
                case "max" -> near(printed.after("Maximum:"), summary.getMax());
                case "range" -> near(printed.after("Range:"), summary.getMax() - summary.getMin());
                case "sum" -> near(printed.after("Sum:"), summary.getSum());
                case "percentile" -> {
                    double found =
                            Double.parseDouble(
                                    printed.after(
                                            "Percentile " + inputs.path("percent").asText() + ":"));
                    double share = inputs.path("percent").asDouble() / 100;
                    assertThat(numbers.stream().filter(each -> each <= found).count())
                            .isGreaterThanOrEqualTo((long) Math.floor(share * (size - 1)));
                    assertThat(numbers.stream().filter(each -> each >= found).count())
                            .isGreaterThanOrEqualTo((long) Math.floor((1 - share) * (size - 1)));
                }
                default -> throw new AssertionError(measure);
            }
        }
    }

    static void near(String text, double expected) {
        assertThat(Double.parseDouble(text))
                .isCloseTo(expected, within(1e-5 * Math.max(1, Math.abs(expected))));
    }

    /** A number is one of the sequence if 5n² + 4 or 5n² - 4 is a square. */
    private static boolean isFibonacci(BigInteger number) {
        BigInteger five = number.multiply(number).multiply(BigInteger.valueOf(5));
        return List.of(4, -4).stream()
                .map(each -> five.add(BigInteger.valueOf(each)))
                .anyMatch(each -> each.signum() >= 0 && each.sqrtAndRemainder()[1].signum() == 0);
    }

    private static void fibonacci(JsonNode inputs, Printed printed) {
        BigInteger count = BigInteger.valueOf(inputs.path("count").asLong());
        BigInteger limit = BigInteger.valueOf(inputs.path("limit").asLong());
        List<BigInteger> numbers = Printed.integers(printed.lines().getLast());
        switch (inputs.path("mode").asText()) {
            case "first" -> {
                assertThat(numbers).hasSize(count.intValueExact()).isSorted();
                assertThat(numbers).allMatch(NumberOracles::isFibonacci);
                assertThat(numbers.stream().distinct().count()).isEqualTo(numbers.size() - 1L);
            }
            case "upto" -> {
                assertThat(numbers).isSorted().allMatch(NumberOracles::isFibonacci);
                assertThat(numbers.getLast()).isLessThanOrEqualTo(limit);
                assertThat(numbers.getLast().add(numbers.get(numbers.size() - 2)))
                        .isGreaterThan(limit);
            }
            default -> {
                double golden = (1 + Math.sqrt(5)) / 2;
                double expected = Math.pow(golden, count.doubleValue()) / Math.sqrt(5);
                assertThat(isFibonacci(numbers.getLast())).isTrue();
                assertThat(numbers.getLast().doubleValue())
                        .isCloseTo(expected, within(0.5 + expected * 1e-9));
            }
        }
    }

    private static void primes(JsonNode inputs, Printed printed) {
        int count = inputs.path("count").asInt();
        List<BigInteger> primes = Printed.integers(printed.lines().getLast());
        assertThat(primes).isSorted().doesNotHaveDuplicates();
        assertThat(primes).allMatch(prime -> prime.isProbablePrime(CERTAINTY));
        if (inputs.path("mode").asText().equals("first")) {
            assertThat(primes).hasSize(count);
            assertThat(primesUpTo(primes.getLast().intValueExact())).isEqualTo(count);
        } else {
            assertThat(primes).hasSize((int) primesUpTo(inputs.path("limit").asInt()));
        }
    }

    private static long primesUpTo(int limit) {
        return IntStream.rangeClosed(2, limit)
                .filter(each -> BigInteger.valueOf(each).isProbablePrime(CERTAINTY))
                .count();
    }

    private static void sequence(JsonNode inputs, Printed printed) {
        int count = inputs.path("count").asInt();
        List<Double> terms = Printed.numbers(printed.below(count + " terms:").getFirst());
        double start = inputs.path("start").asDouble();
        double step = inputs.path("step").asDouble();
        assertThat(terms).hasSize(count);
        near(printed.after("Their sum:"), terms.stream().mapToDouble(Double::doubleValue).sum());
        for (int i = 0; i < count; i++) {
            double term = terms.get(i);
            switch (inputs.path("kind").asText()) {
                case "arithmetic" -> near(term, i == 0 ? start : terms.get(i - 1) + step);
                case "geometric" -> near(term, i == 0 ? start : terms.get(i - 1) * step);
                // Eight times a triangular number and one is the square of an odd number.
                case "triangular" -> near(Math.sqrt(8 * term + 1), 2.0 * (i + 1) + 1);
                default -> near(Math.sqrt(term), i + 1.0);
            }
        }
    }

    static void near(double value, double expected) {
        near(String.valueOf(value), expected);
    }

    private static void collatz(JsonNode inputs, Printed printed) {
        List<BigInteger> way = Printed.integers(printed.lines().getFirst().replace("->", ""));
        assertThat(way.getFirst().longValue()).isEqualTo(inputs.path("start").asLong());
        assertThat(way.getLast()).isEqualTo(BigInteger.ONE);
        for (int i = 1; i < way.size(); i++) {
            long before = way.get(i - 1).longValue();
            assertThat(way.get(i).longValue())
                    .isEqualTo((before & 1) == 0 ? before >> 1 : before + (before << 1) + 1);
        }
        assertThat(printed.after("Steps:")).isEqualTo(String.valueOf(way.size() - 1));
        assertThat(printed.after("Highest number:")).isEqualTo(Collections.max(way).toString());
    }

    private static void primeFactors(JsonNode inputs, Printed printed) {
        BigInteger number = new BigInteger(inputs.path("number").asText());
        List<BigInteger> factors = Printed.integers(printed.after(number + " ="));
        assertThat(factors.stream().reduce(BigInteger.ONE, BigInteger::multiply)).isEqualTo(number);
        assertThat(factors).allMatch(factor -> factor.isProbablePrime(CERTAINTY));
        assertThat(printed.says(number + " is prime")).isEqualTo(number.isProbablePrime(CERTAINTY));
    }

    private static void gcdLcm(JsonNode inputs, Printed printed) {
        List<BigInteger> numbers =
                texts(inputs.path("numbers")).stream().map(BigInteger::new).toList();
        List<BigInteger> found =
                printed.lines().stream().map(line -> Printed.integers(line).getLast()).toList();
        List<String> what = texts(inputs.path("what"));
        assertThat(found).hasSameSizeAs(what);
        for (int i = 0; i < found.size(); i++) {
            if (what.get(i).equals("gcd")) {
                assertThat(found.get(i))
                        .isEqualTo(numbers.stream().reduce(BigInteger.ZERO, BigInteger::gcd));
            } else {
                BigInteger multiple = found.get(i);
                assertThat(numbers).allMatch(each -> multiple.mod(each).signum() == 0);
                // Least: what is left of it for each number has nothing in common.
                assertThat(
                                numbers.stream()
                                        .map(multiple::divide)
                                        .reduce(BigInteger.ZERO, BigInteger::gcd))
                        .isEqualTo(BigInteger.ONE);
            }
        }
    }

    private static void factorial(JsonNode inputs, Printed printed) {
        int number = inputs.path("number").asInt();
        BigInteger left = new BigInteger(printed.after(number + "! ="));
        for (int divisor = number; divisor > 1; divisor--) {
            BigInteger[] parts = left.divideAndRemainder(BigInteger.valueOf(divisor));
            assertThat(parts[1]).isZero();
            left = parts[0];
        }
        assertThat(left).isEqualTo(BigInteger.ONE);
    }

    /** By the triangle: each number is the sum of the two above it. */
    private static void combinations(JsonNode inputs, Printed printed) {
        int n = inputs.path("n").asInt();
        int k = inputs.path("k").asInt();
        BigInteger[] row = new BigInteger[n + 1];
        Arrays.fill(row, BigInteger.ZERO);
        row[0] = BigInteger.ONE;
        for (int i = 1; i <= n; i++) {
            for (int j = i; j > 0; j--) {
                row[j] = row[j].add(row[j - 1]);
            }
        }
        BigInteger expected = k > n ? BigInteger.ZERO : row[k];
        assertThat(printed.lines().getFirst()).endsWith(": " + expected);
    }
}
