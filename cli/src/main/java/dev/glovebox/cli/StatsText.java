package dev.glovebox.cli;

import dev.glovebox.coder.Stats;
import dev.glovebox.coder.StatsRun.Condition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Numbers of runs as a person reads them, in 80 columns. */
final class StatsText {

    private static final int BAR = 40;
    private static final List<Integer> MILLIS =
            List.of(10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000);

    private final Paint paint;
    private final String block;
    private final List<String> lines = new ArrayList<>();

    private StatsText(Paint paint) {
        this.paint = paint;
        this.block = paint.coloured() ? "█" : "#";
    }

    static List<String> lines(Stats stats, Paint paint) {
        StatsText text = new StatsText(paint);
        text.runs(stats);
        text.attempts(stats);
        text.times(stats);
        text.failures(stats);
        text.roles(stats);
        return text.lines;
    }

    private void runs(Stats stats) {
        long whole = stats.count(Condition.WHOLE);
        add("runs       %6d".formatted(stats.runs().size()));
        add("  solved   %6d  %s".formatted(stats.solved(), percent(stats.solved(), whole)));
        add("  unsolved %6d".formatted(whole - stats.solved()));
        for (Condition condition : Condition.values()) {
            long count = stats.count(condition);
            if (condition != Condition.WHOLE && count > 0) {
                add("  %-10s %4d  not counted above".formatted(word(condition), count));
            }
        }
        stats.stops()
                .forEach((stop, count) -> {
                    if (!stop.equals("completed")) {
                        add("  ended as %-20s %6d".formatted(stop, count));
                    }
                });
    }

    static String word(Condition condition) {
        return condition.name().toLowerCase(Locale.ROOT);
    }

    private void attempts(Stats stats) {
        Map<Integer, Integer> counts = stats.attemptsPerSuccess();
        if (counts.isEmpty()) {
            return;
        }
        head("attempts per success");
        int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(1);
        counts.forEach((made, count) -> bar(Integer.toString(made), count, most));
    }

    private void times(Stats stats) {
        List<Duration> programs = stats.programs();
        if (programs.isEmpty()) {
            return;
        }
        head("programs, with their boxes");
        add(
                "  %d ran; p50 %s, p90 %s, p99 %s"
                        .formatted(
                                programs.size(),
                                Times.took(Stats.percentile(programs, 50)),
                                Times.took(Stats.percentile(programs, 90)),
                                Times.took(Stats.percentile(programs, 99))));
        int[] counts = new int[MILLIS.size() + 1];
        for (Duration took : programs) {
            int bucket = 0;
            while (bucket < MILLIS.size() && took.toMillis() >= MILLIS.get(bucket)) {
                bucket++;
            }
            counts[bucket]++;
        }
        int most = 1;
        int first = counts.length;
        int last = 0;
        for (int i = 0; i < counts.length; i++) {
            most = Math.max(most, counts[i]);
            if (counts[i] > 0) {
                first = Math.min(first, i);
                last = i;
            }
        }
        for (int i = first; i <= last; i++) {
            bar(i == MILLIS.size() ? "longer" : "< " + unit(MILLIS.get(i)), counts[i], most);
        }
    }

    private static String unit(int millis) {
        return millis < 1_000 ? millis + " ms" : millis / 1_000 + " s";
    }

    private void failures(Stats stats) {
        if (stats.failures().isEmpty()) {
            return;
        }
        head("failed attempts by category            seen  overcome");
        stats.failures()
                .forEach((name, count) ->
                        add("  %-36s %5d  %8d".formatted(name, count.seen(), count.overcome())));
    }

    private void roles(Stats stats) {
        if (stats.roles().isEmpty()) {
            return;
        }
        head("models by role           calls    tokens in   tokens out      cost");
        stats.roles()
                .forEach((role, cost) ->
                        add(
                                "  %-20s %7d %12d %12d %9s"
                                        .formatted(
                                                role,
                                                cost.calls(),
                                                cost.inputTokens(),
                                                cost.outputTokens(),
                                                dollars(cost.microDollars()))));
    }

    static String dollars(long micros) {
        return String.format(Locale.ROOT, "$%.4f", micros / 1e6);
    }

    static String percent(long part, long of) {
        return of == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / of);
    }

    private void head(String words) {
        lines.add("");
        lines.add(paint.strong(words));
    }

    private void bar(String label, int count, int most) {
        // What is there can be seen, however little it is.
        int width = count == 0 ? 0 : Math.max(1, count * BAR / most);
        add("  %-9s %6d  %s".formatted(label, count, block.repeat(width)));
    }

    private void add(String line) {
        // Names of roles, failures and stops are those of whoever wrote the records.
        lines.add(Shell.printable(line).stripTrailing());
    }
}
