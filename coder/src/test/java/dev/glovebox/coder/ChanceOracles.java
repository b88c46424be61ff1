package dev.glovebox.coder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Of recipes about chance: what must be so, and what is very likely. */
final class ChanceOracles {

    /** So many standard deviations off is one in some millions; the seeds are fixed. */
    private static final double UNLIKELY = 5;

    private ChanceOracles() {}

    static void into(Map<String, Oracle> all) {
        all.put("dice", ChanceOracles::dice);
        all.put("coin", ChanceOracles::coin);
        all.put("monte-carlo-pi", ChanceOracles::pi);
        all.put("guessing-game", ChanceOracles::guessing);
    }

    private static void dice(JsonNode inputs, Printed printed) {
        int dice = inputs.path("dice").asInt();
        int sides = inputs.path("sides").asInt();
        int rolls = inputs.path("rolls").asInt();
        List<MatchResult> lines =
                Pattern.compile("(?m)^(\\d+): (\\d+) \\(")
                        .matcher(printed.text())
                        .results()
                        .toList();
        int all = 0;
        double sum = 0;
        for (MatchResult line : lines) {
            int total = Integer.parseInt(line.group(1));
            assertThat(total).isBetween(dice, dice * sides);
            all += Integer.parseInt(line.group(2));
            sum += total * Double.parseDouble(line.group(2));
        }
        assertThat(all).isEqualTo(rolls);
        double spread = Math.sqrt(dice * (sides * sides - 1) / 12.0 / rolls);
        assertThat(sum / rolls).isCloseTo(dice * (sides + 1) / 2.0, within(UNLIKELY * spread));
        assertThat(Double.parseDouble(printed.after("Average:")))
                .isCloseTo(sum / rolls, within(0.001));
    }

    private static void coin(JsonNode inputs, Printed printed) {
        int flips = inputs.path("flips").asInt();
        double heads = Printed.numbers(printed.after("Heads:")).getFirst();
        double tails = Printed.numbers(printed.after("Tails:")).getFirst();
        assertThat(heads + tails).isEqualTo(flips);
        assertThat(heads).isCloseTo(flips / 2.0, within(UNLIKELY * Math.sqrt(flips) / 2));
        assertThat(Integer.parseInt(printed.after("Longest run of the same side:")))
                .isBetween(1, flips);
    }

    private static void pi(JsonNode inputs, Printed printed) {
        double points = inputs.path("points").asDouble();
        double share = Math.PI / 4;
        double spread = 4 * Math.sqrt(share * (1 - share) / points);
        assertThat(Double.parseDouble(printed.after("Estimate of pi:")))
                .isCloseTo(Math.PI, within(UNLIKELY * spread));
    }

    private static void guessing(JsonNode inputs, Printed printed) {
        int low = inputs.path("low").asInt();
        int high = inputs.path("high").asInt();
        int secret = Integer.parseInt(printed.after("Secret number:"));
        assertThat(secret).isBetween(low, high);
        List<MatchResult> guesses =
                Pattern.compile("Guess \\d+: (-?\\d+) is (right|too low|too high)")
                        .matcher(printed.text())
                        .results()
                        .toList();
        for (MatchResult guess : guesses) {
            int number = Integer.parseInt(guess.group(1));
            String verdict = number == secret ? "right" : number < secret ? "too low" : "too high";
            assertThat(guess.group(2)).isEqualTo(verdict);
        }
        // Halving never takes more guesses than the span has binary digits.
        assertThat(guesses.size())
                .isLessThanOrEqualTo(32 - Integer.numberOfLeadingZeros(high - low + 1));
    }
}
