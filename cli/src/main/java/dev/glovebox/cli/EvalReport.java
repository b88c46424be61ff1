package dev.glovebox.cli;

import dev.glovebox.coder.Eval;
import dev.glovebox.coder.Stats;
import dev.glovebox.coder.StatsRun;
import dev.glovebox.run.StopReason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What came of an evaluation.
 *
 * @param all how many problems there are
 * @param results by the ids of the problems that were begun
 * @param lack what kept it from being all that it should be
 * @param took this time; what was done before an interruption is not in it
 */
record EvalReport(
        String name, int all, Map<String, StatsRun> results, Eval.Lack lack, Duration took) {

    private static final int MOST_NAMED = 20;
    private static final int WIDTH = 80;

    private Stats stats() {
        return new Stats(List.copyOf(results.values()));
    }

    private long atOnce() {
        return results.values().stream()
                .filter(run -> run.isSolved() && run.attempts() == 1)
                .count();
    }

    private List<String> unsolved() {
        return results.entrySet().stream()
                .filter(one -> !one.getValue().isSolved())
                .map(Map.Entry::getKey)
                .toList();
    }

    List<String> lines(Paint paint) {
        Stats stats = stats();
        long begun = results.size();
        List<String> lines = new ArrayList<>();
        lines.add(paint.strong("evaluation " + name) + "  took " + Times.took(took));
        lines.add(
                "solved %d of %d (%s), %d of them at the first attempt"
                        .formatted(
                                stats.solved(),
                                begun,
                                StatsText.percent(stats.solved(), begun),
                                atOnce()));
        lack.stopped()
                .ifPresent(why ->
                        lines.add(
                                paint.bad("✗ " + why.word())
                                        + (why instanceof StopReason.ModelFailed
                                                ? "  no problem was tried"
                                                : "  begun were %d of %d problems"
                                                        .formatted(begun, all))));
        lack.unsealed().ifPresent(why -> lines.add(paint.bad("✗ not all of it is sealed")));
        lines.add("");
        lines.addAll(StatsText.lines(stats, paint));
        List<String> unsolved = unsolved();
        if (!unsolved.isEmpty()) {
            lines.add("");
            lines.add(paint.strong("not solved"));
            lines.addAll(wrapped(unsolved));
        }
        return lines;
    }

    private static List<String> wrapped(List<String> ids) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(" ");
        for (String id : ids.subList(0, Math.min(ids.size(), MOST_NAMED))) {
            if (line.length() + id.length() >= WIDTH) {
                lines.add(line.toString());
                line = new StringBuilder(" ");
            }
            line.append(' ').append(id);
        }
        lines.add(line.toString());
        if (ids.size() > MOST_NAMED) {
            lines.add("  and %d more; --json names all".formatted(ids.size() - MOST_NAMED));
        }
        return lines;
    }

    void json(JsonReport report) {
        Stats stats = stats();
        report.object(json -> {
            json.writeStringField("eval", name);
            if (lack.stopped().isPresent()) {
                json.writeStringField("stop", lack.stopped().get().word());
                json.writeStringField("why", Ending.words(lack.stopped().get()));
            }
            if (lack.unsealed().isPresent()) {
                json.writeStringField("record", RunRecord.State.NOT_SEALED.toString());
                json.writeStringField("record_problem", lack.unsealed().get());
            } else {
                json.writeStringField("record", RunRecord.State.SEALED.toString());
            }
            json.writeNumberField("problems", results.size());
            json.writeNumberField("solved", stats.solved());
            json.writeNumberField("solved_at_once", atOnce());
            json.writeNumberField("took_ms", took.toMillis());
            JsonReport.field(json, "stats", () -> StatsJson.write(json, stats));
            json.writeArrayFieldStart("tasks");
            for (Map.Entry<String, StatsRun> one : results.entrySet()) {
                StatsRun run = one.getValue();
                json.writeStartObject();
                json.writeStringField("task", one.getKey());
                json.writeStringField("run", run.row().run());
                json.writeBooleanField("solved", run.isSolved());
                json.writeNumberField("attempts", run.attempts());
                json.writeStringField("stop", run.row().stop());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }
}
