package dev.glovebox.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.glovebox.coder.Stats;
import dev.glovebox.coder.StatsCost;
import dev.glovebox.coder.StatsRun.Condition;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Numbers of runs for programs. */
final class StatsJson {

    private StatsJson() {}

    static void write(JsonGenerator json, Stats stats) throws IOException {
        json.writeNumberField("runs", stats.runs().size());
        for (Condition condition : Condition.values()) {
            json.writeNumberField(StatsText.word(condition), stats.count(condition));
        }
        json.writeNumberField("solved", stats.solved());
        JsonReport.field(
                json,
                "attempts_per_success",
                () -> {
                    for (Map.Entry<Integer, Integer> one : stats.attemptsPerSuccess().entrySet()) {
                        json.writeNumberField(one.getKey().toString(), one.getValue());
                    }
                });
        List<Duration> programs = stats.programs();
        JsonReport.field(
                json,
                "programs",
                () -> {
                    json.writeNumberField("count", programs.size());
                    for (int percent : new int[] {50, 90, 99}) {
                        json.writeNumberField(
                                "p" + percent + "_ms",
                                Stats.percentile(programs, percent).toMillis());
                    }
                });
        JsonReport.field(json, "stops", () -> counts(json, stats.stops()));
        JsonReport.field(
                json,
                "failures",
                () -> {
                    for (Map.Entry<String, Stats.Failures> one : stats.failures().entrySet()) {
                        JsonReport.field(
                                json,
                                one.getKey(),
                                () -> {
                                    json.writeNumberField("seen", one.getValue().seen());
                                    json.writeNumberField("overcome", one.getValue().overcome());
                                });
                    }
                });
        JsonReport.field(
                json,
                "roles",
                () -> {
                    for (Map.Entry<String, StatsCost> role : stats.roles().entrySet()) {
                        JsonReport.field(json, role.getKey(), () -> cost(json, role.getValue()));
                    }
                });
    }

    private static void counts(JsonGenerator json, Map<String, Integer> counts) throws IOException {
        for (Map.Entry<String, Integer> one : counts.entrySet()) {
            json.writeNumberField(one.getKey(), one.getValue());
        }
    }

    private static void cost(JsonGenerator json, StatsCost cost) throws IOException {
        json.writeNumberField("calls", cost.calls());
        json.writeNumberField("input_tokens", cost.inputTokens());
        json.writeNumberField("output_tokens", cost.outputTokens());
        json.writeNumberField("micro_dollars", cost.microDollars());
    }
}
