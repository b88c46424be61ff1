package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Of recipes about units, bases, numerals and money. */
final class ConversionOracles {

    /** Known pairs: so much of one is so much of the other. */
    private static final Map<String, Double> FACTORS =
            Map.of(
                    "mile kilometer", 1.609344,
                    "foot meter", 0.3048,
                    "centimeter inch", 0.3937007874,
                    "kilogram pound", 2.2046226218);

    private ConversionOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("unit-conversion", ConversionOracles::units);
        all.put("temperature-table", ConversionOracles::temperatures);
        all.put("base-conversion", ConversionOracles::bases);
        all.put("roman", ConversionOracles::roman);
        all.put("compound-interest", ConversionOracles::interest);
        all.put("loan", ConversionOracles::loan);
    }

    private static void units(JsonNode inputs, Printed printed) {
        String from = inputs.path("from").asText();
        String to = inputs.path("to").asText();
        double amount = inputs.path("amount").asDouble();
        double found = Printed.numbers(printed.text()).getLast();
        if (from.equals("fahrenheit") && to.equals("celsius")) {
            // Both scales agree at -40.
            assertThat((found + 40) * 1.8 - 40).isCloseTo(amount, within(0.001));
        } else if (from.equals("celsius") && to.equals("fahrenheit")) {
            assertThat((found + 40) / 1.8 - 40).isCloseTo(amount, within(0.001));
        } else {
            Double factor = FACTORS.get(from + " " + to);
            assertThat(factor).as("%s to %s is known", from, to).isNotNull();
            assertThat(found / amount).isCloseTo(factor, within(0.001));
        }
    }

    private static void temperatures(JsonNode inputs, Printed printed) {
        List<String> rows = printed.lines().subList(2, printed.lines().size());
        int from = inputs.path("from").asInt();
        int step = inputs.path("step").asInt();
        assertThat(rows).hasSize((inputs.path("to").asInt() - from) / step + 1);
        boolean celsiusFirst = inputs.path("direction").asText().equals("celsius");
        for (int i = 0; i < rows.size(); i++) {
            List<Double> cells = Printed.numbers(rows.get(i));
            assertThat(cells.getFirst()).isEqualTo(from + i * step);
            double celsius = cells.get(celsiusFirst ? 0 : 1);
            double fahrenheit = cells.get(celsiusFirst ? 1 : 0);
            assertThat((celsius + 40) * 1.8 - 40).isCloseTo(fahrenheit, within(0.1));
        }
    }

    private static void bases(JsonNode inputs, Printed printed) {
        String digits = inputs.path("digits").asText().toLowerCase(Locale.ROOT);
        BigInteger number =
                digits.startsWith("0x")
                        ? new BigInteger(digits.substring(2), 16)
                        : new BigInteger(digits, inputs.path("from").asInt());
        int to = inputs.path("to").asInt();
        assertThat(printed.text()).contains("= " + number.toString(to) + " (base " + to + ")");
        assertThat(printed.after("Decimal:")).isEqualTo(number.toString());
    }

    /** A smaller symbol before a larger one is taken away. */
    private static int value(String numeral) {
        Map<Character, Integer> symbols =
                Map.of('I', 1, 'V', 5, 'X', 10, 'L', 50, 'C', 100, 'D', 500, 'M', 1000);
        int sum = 0;
        int right = 0;
        for (char symbol : new StringBuilder(numeral).reverse().toString().toCharArray()) {
            int value = symbols.getOrDefault(symbol, 0);
            sum += value < right ? -value : value;
            right = value;
        }
        return sum;
    }

    private static void roman(JsonNode inputs, Printed printed) {
        String text = inputs.path("text").asText();
        String found = printed.after(text + " =");
        if (text.matches("\\d+")) {
            assertThat(found).matches("M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})");
            assertThat(value(found)).isEqualTo(Integer.parseInt(text));
        } else {
            assertThat(Integer.parseInt(found)).isEqualTo(value(text));
        }
    }

    private static void interest(JsonNode inputs, Printed printed) {
        BigDecimal factor = BigDecimal.ONE.add(inputs.path("rate").decimalValue().movePointLeft(2));
        BigDecimal expected =
                inputs.path("principal")
                        .decimalValue()
                        .multiply(factor.pow(inputs.path("years").asInt()));
        assertThat(Double.parseDouble(printed.after("Final balance:")))
                .isCloseTo(expected.doubleValue(), within(0.0051));
    }

    /** Who pays so much each month owes nothing in the end. */
    private static void loan(JsonNode inputs, Printed printed) {
        BigDecimal owed = inputs.path("principal").decimalValue();
        BigDecimal rate =
                inputs.path("rate")
                        .decimalValue()
                        .divide(BigDecimal.valueOf(1200), MathContext.DECIMAL64);
        BigDecimal payment = new BigDecimal(printed.after("Monthly payment:"));
        int months = inputs.path("years").asInt() * 12;
        for (int month = 0; month < months; month++) {
            owed = owed.add(owed.multiply(rate, MathContext.DECIMAL64)).subtract(payment);
        }
        // Half a cent a month may be owed, with interest.
        assertThat(owed.doubleValue()).isCloseTo(0, within(0.01 * months));
    }
}
