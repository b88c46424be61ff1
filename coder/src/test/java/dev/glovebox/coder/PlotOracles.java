package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** Of recipes that draw. */
final class PlotOracles {

    private PlotOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("bar-chart", PlotOracles::bars);
        all.put("histogram", PlotOracles::histogram);
        all.put("sine-plot", PlotOracles::curve);
    }

    private static int marks(String line) {
        return (int) line.chars().filter(each -> each == '#').count();
    }

    private static void bars(JsonNode inputs, Printed printed) {
        JsonNode bars = inputs.path("numbers");
        assertThat(printed.lines()).hasSize(bars.size());
        double largest = 0;
        for (JsonNode bar : bars) {
            largest = Math.max(largest, bar.get(1).asDouble());
        }
        for (int i = 0; i < bars.size(); i++) {
            String line = printed.lines().get(i);
            assertThat(line.strip()).startsWith(bars.get(i).get(0).asText() + " |");
            assertThat(line).endsWith(" " + bars.get(i).get(1).asText());
            assertThat((double) marks(line))
                    .isCloseTo(40 * bars.get(i).get(1).asDouble() / largest, within(0.51));
        }
    }

    private static void histogram(JsonNode inputs, Printed printed) {
        List<Double> numbers = NumberOracles.numbers(inputs.path("numbers"));
        int bins = inputs.path("bins").asInt();
        int all = 0;
        for (int bin = 0; bin < bins; bin++) {
            String line = printed.lines().get(bin);
            List<Double> parts = Printed.numbers(line);
            assertThat(parts.getLast()).isEqualTo(marks(line));
            all += marks(line);
            double slack = 0.01;
            long surely =
                    numbers.stream()
                            .filter(each ->
                                    each > parts.get(0) + slack && each < parts.get(1) - slack)
                            .count();
            long perhaps =
                    numbers.stream()
                            .filter(each ->
                                    each >= parts.get(0) - slack && each <= parts.get(1) + slack)
                            .count();
            assertThat((long) marks(line)).isBetween(surely, perhaps);
        }
        assertThat(all).isEqualTo(numbers.size());
    }

    private static void curve(JsonNode inputs, Printed printed) {
        int width = inputs.path("width").asInt();
        boolean sine = inputs.path("function").asText().equals("sin");
        int stars = 0;
        for (String line : printed.lines()) {
            double label = Double.parseDouble(line.substring(0, 5).strip());
            String drawn = line.substring(line.indexOf('|') + 1);
            for (int column = 0; column < drawn.length(); column++) {
                if (drawn.charAt(column) == '*') {
                    stars++;
                    double degrees = 360.0 * column / (width - 1);
                    double angle = Math.toRadians(sine ? degrees : degrees + 90);
                    assertThat(Math.sin(angle)).isCloseTo(label, within(0.07));
                }
            }
        }
        assertThat(stars).isEqualTo(width);
    }
}
