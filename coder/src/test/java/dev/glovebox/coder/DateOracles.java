package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/** Of recipes about dates: what java.time says. */
final class DateOracles {

    private DateOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("days-between", DateOracles::daysBetween);
        all.put("weekday", DateOracles::weekday);
        all.put("leap-years", DateOracles::leapYears);
        all.put("add-days", DateOracles::addDays);
        all.put("age", DateOracles::age);
        all.put("calendar", DateOracles::calendar);
    }

    private static LocalDate date(JsonNode text) {
        return text.asText().equals("today")
                ? LocalDate.now(ZoneOffset.UTC)
                : LocalDate.parse(text.asText());
    }

    private static void daysBetween(JsonNode inputs, Printed printed) {
        long days = ChronoUnit.DAYS.between(date(inputs.path("from")), date(inputs.path("to")));
        assertThat(printed.lines().getFirst()).endsWith(": " + days + " days");
    }

    private static void weekday(JsonNode inputs, Printed printed) {
        LocalDate date = date(inputs.path("date"));
        assertThat(printed.after(date + " is a"))
                .isEqualTo(date.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH));
        assertThat(printed.text()).contains("day " + date.getDayOfYear() + " of");
    }

    private static void leapYears(JsonNode inputs, Printed printed) {
        int from = inputs.path("from").asInt();
        int to = inputs.path("to").asInt();
        if (to == 0 || to == from) {
            assertThat(printed.after(from + " is"))
                    .isEqualTo(Year.isLeap(from) ? "a leap year" : "not a leap year");
            return;
        }
        List<Integer> years =
                Printed.integers(printed.lines().getLast()).stream()
                        .map(BigInteger::intValue)
                        .toList();
        assertThat(years)
                .isEqualTo(IntStream.rangeClosed(from, to).filter(Year::isLeap).boxed().toList());
    }

    private static void addDays(JsonNode inputs, Printed printed) {
        LocalDate date = date(inputs.path("date"));
        long amount = inputs.path("days").asLong();
        Period span =
                inputs.path("unit").asText().equals("weeks")
                        ? Period.ofWeeks((int) amount)
                        : Period.ofDays((int) amount);
        boolean back = inputs.path("direction").asText().equals("subtract");
        assertThat(printed.text().strip())
                .endsWith(": " + (back ? date.minus(span) : date.plus(span)));
    }

    private static void age(JsonNode inputs, Printed printed) {
        LocalDate birth = date(inputs.path("birth"));
        LocalDate on = date(inputs.path("on"));
        assertThat(printed.lines().getFirst())
                .endsWith(": " + Period.between(birth, on).getYears() + " years old");
        assertThat(printed.after("Days lived:"))
                .isEqualTo(String.valueOf(ChronoUnit.DAYS.between(birth, on)));
    }

    private static void calendar(JsonNode inputs, Printed printed) {
        YearMonth month = YearMonth.of(inputs.path("year").asInt(), inputs.path("month").asInt());
        assertThat(printed.lines().getFirst())
                .isEqualTo(
                        month.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH)
                                + " "
                                + month.getYear());
        List<String> weeks = printed.below("Mo Tu");
        int seen = 0;
        for (String week : weeks) {
            for (int column = 0; column * 3 < week.length(); column++) {
                String cell =
                        week.substring(column * 3, Math.min(column * 3 + 2, week.length())).strip();
                if (!cell.isEmpty()) {
                    seen++;
                    assertThat(cell).isEqualTo(String.valueOf(seen));
                    assertThat(month.atDay(seen).getDayOfWeek().getValue()).isEqualTo(column + 1);
                }
            }
        }
        assertThat(seen).isEqualTo(month.lengthOfMonth());
    }
}
