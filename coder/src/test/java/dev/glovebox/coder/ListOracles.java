package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Of recipes about lists and tables of numbers. */
final class ListOracles {

    private ListOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("sort", ListOracles::sort);
        all.put("search", ListOracles::search);
        all.put("permutations", ListOracles::permutations);
        all.put("matrix", ListOracles::matrix);
        all.put("multiplication-table", ListOracles::multiplicationTable);
        all.put("pascal", ListOracles::pascal);
        all.put("fizzbuzz", ListOracles::fizzBuzz);
    }

    private static void sort(JsonNode inputs, Printed printed) {
        JsonNode items = inputs.path("items");
        List<String> expected = new ArrayList<>(NumberOracles.texts(items));
        Comparator<String> order =
                items.get(0).isNumber()
                        ? Comparator.comparingDouble(Double::parseDouble)
                        : Comparator.naturalOrder();
        boolean down = inputs.path("order").asText().equals("descending");
        expected.sort(down ? order.reversed() : order);
        assertThat(List.of(printed.after("After:").split(", "))).isEqualTo(expected);
    }

    private static void search(JsonNode inputs, Printed printed) {
        List<Double> numbers = new ArrayList<>(NumberOracles.numbers(inputs.path("numbers")));
        if (inputs.path("algorithm").asText().equals("binary")) {
            Collections.sort(numbers);
        }
        String target = inputs.path("target").asText();
        int index = numbers.indexOf(Double.valueOf(target));
        assertThat(printed.text())
                .contains(
                        index < 0
                                ? target + " is not in the list"
                                : target + " found at index " + index + " ");
    }

    private static void permutations(JsonNode inputs, Printed printed) {
        List<String> items = NumberOracles.texts(inputs.path("items"));
        int count = IntStream.rangeClosed(1, items.size()).reduce(1, (a, b) -> a * b);
        List<String> lines = printed.lines().subList(0, printed.lines().size() - 1);
        assertThat(lines).hasSize(count);
        List<String> sorted = items.stream().sorted().toList();
        for (String line : lines) {
            assertThat(List.of(line.split(" "))).containsExactlyInAnyOrderElementsOf(sorted);
        }
        if (new HashSet<>(items).size() == items.size()) {
            assertThat(lines).doesNotHaveDuplicates();
        }
        assertThat(printed.after("Permutations:")).isEqualTo(String.valueOf(count));
    }

    private static List<List<Double>> rows(JsonNode matrix) {
        List<List<Double>> rows = new ArrayList<>();
        matrix.forEach(row -> rows.add(NumberOracles.numbers(row)));
        return rows;
    }

    private static void matrix(JsonNode inputs, Printed printed) {
        List<List<Double>> a = rows(inputs.path("a"));
        switch (inputs.path("operation").asText()) {
            case "transpose" -> {
                List<String> found = printed.below("Transpose:");
                assertThat(found).hasSize(a.getFirst().size());
                for (int row = 0; row < a.size(); row++) {
                    for (int column = 0; column < a.getFirst().size(); column++) {
                        assertThat(Printed.numbers(found.get(column)).get(row))
                                .isEqualTo(a.get(row).get(column));
                    }
                }
            }
            case "determinant" -> NumberOracles.near(printed.after("Determinant:"), laplace(a));
            default -> {
                List<List<Double>> b = rows(inputs.path("b"));
                List<String> found = printed.below("Product:");
                // (a b) x = a (b x), with a vector that has no pattern.
                List<Double> vector =
                        IntStream.range(0, b.getFirst().size())
                                .mapToObj(i -> Math.sqrt(i + 2.0))
                                .toList();
                List<Double> expected = times(a, times(b, vector));
                List<Double> product = times(found.stream().map(Printed::numbers).toList(), vector);
                assertThat(product).hasSameSizeAs(expected);
                for (int i = 0; i < product.size(); i++) {
                    NumberOracles.near(product.get(i), expected.get(i));
                }
            }
        }
    }

    private static List<Double> times(List<List<Double>> matrix, List<Double> vector) {
        return matrix.stream()
                .map(row ->
                        IntStream.range(0, row.size())
                                .mapToDouble(i -> row.get(i) * vector.get(i))
                                .sum())
                .toList();
    }

    private static double laplace(List<List<Double>> matrix) {
        if (matrix.isEmpty()) {
            return 1;
        }
        double sum = 0;
        for (int column = 0; column < matrix.size(); column++) {
            int left = column;
            List<List<Double>> minor =
                    matrix.stream()
                            .skip(1)
                            .map(row -> {
                                List<Double> shorter = new ArrayList<>(row);
                                shorter.remove(left);
                                return shorter;
                            })
                            .map(List::copyOf)
                            .toList();
            double sign = column % 2 == 0 ? 1 : -1;
            sum += sign * matrix.getFirst().get(column) * laplace(minor);
        }
        return sum;
    }

    private static void multiplicationTable(JsonNode inputs, Printed printed) {
        int size = inputs.path("size").asInt();
        assertThat(printed.lines()).hasSize(size + 1);
        List<Double> sums = new ArrayList<>();
        for (String line : printed.lines().subList(1, size + 1)) {
            List<Double> row = Printed.numbers(line);
            assertThat(row).hasSize(size + 1);
            // Each cell is one step further than the one before it.
            for (int i = 2; i <= size; i++) {
                assertThat(row.get(i) - row.get(i - 1)).isEqualTo(row.getFirst());
            }
            assertThat(row.get(1)).isEqualTo(row.getFirst());
            sums.add(row.getFirst());
        }
        assertThat(sums).isSorted().doesNotHaveDuplicates();
        assertThat(sums.getLast()).isEqualTo(size);
    }

    /**
     * The sum of row n is 2 to the power of n, it is a mirror of itself, and its second number is
     * n.
     */
    private static void pascal(JsonNode inputs, Printed printed) {
        int rows = inputs.path("rows").asInt();
        assertThat(printed.lines()).hasSize(rows);
        for (int row = 0; row < rows; row++) {
            var numbers = Printed.integers(printed.lines().get(row));
            assertThat(numbers).hasSize(row + 1);
            assertThat(numbers.stream().reduce(BigInteger.ZERO, BigInteger::add))
                    .isEqualTo(BigInteger.TWO.pow(row));
            assertThat(numbers.reversed()).isEqualTo(numbers);
            if (row > 0) {
                assertThat(numbers.get(1).intValue()).isEqualTo(row);
            }
        }
    }

    private static void fizzBuzz(JsonNode inputs, Printed printed) {
        int limit = inputs.path("limit").asInt();
        List<String> cycle =
                List.of(
                        "FizzBuzz",
                        "",
                        "",
                        "Fizz",
                        "",
                        "Buzz",
                        "Fizz",
                        "",
                        "",
                        "Fizz",
                        "Buzz",
                        "",
                        "Fizz",
                        "",
                        "");
        assertThat(printed.lines()).hasSize(limit);
        for (int number = 1; number <= limit; number++) {
            String word = cycle.get(number % 15);
            assertThat(printed.lines().get(number - 1))
                    .isEqualTo(word.isEmpty() ? String.valueOf(number) : word);
        }
    }
}
