package dev.glovebox.coder;

import dev.glovebox.trace.Trace;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the traces of runs of a pipeline tell together. There are no other books. */
public record Stats(List<StatsRun> runs) {

    private static final int PAGE = 500;

    public Stats {
        runs = List.copyOf(runs);
    }

    /** Of all runs that began at a moment or later. */
    public static Stats since(Trace trace, Instant moment) {
        long micros = Math.max(0, moment.getEpochSecond()) * 1_000_000;
        return new Stats(
                rows(trace, Optional.empty()).stream()
                        .filter(row -> row.startedAt() >= micros)
                        .map(row -> StatsRun.read(trace, row))
                        .toList());
    }

    /**
     * The runs of pipelines, newest first.
     *
     * @param text only those with this in their title
     */
    static List<RunRow> rows(Trace trace, Optional<String> text) {
        List<RunRow> all = new ArrayList<>();
        List<RunRow> page;
        Optional<RunRow> before = Optional.empty();
        do {
            page =
                    trace.runs(
                            new RunQuery(
                                    Optional.of(Pipeline.KIND),
                                    Optional.empty(),
                                    text,
                                    before,
                                    PAGE));
            all.addAll(page);
            before = page.isEmpty() ? before : Optional.of(page.getLast());
        } while (page.size() == PAGE);
        return all;
    }

    /** How many are in a condition. */
    public long count(StatsRun.Condition condition) {
        return runs.stream().filter(run -> run.condition() == condition).count();
    }

    public long solved() {
        return runs.stream().filter(StatsRun::isSolved).count();
    }

    /** How many attempts it took, and how often that was so, where it ended well. */
    public SortedMap<Integer, Integer> attemptsPerSuccess() {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        runs.stream()
                .filter(StatsRun::isSolved)
                .forEach(run -> counts.merge(run.attempts(), 1, Integer::sum));
        return counts;
    }

    /**
     * What was wrong with attempts.
     *
     * @param seen how many attempts
     * @param overcome how many of them in runs that ended well
     */
    public record Failures(int seen, int overcome) {

        Failures plus(Failures other) {
            return new Failures(seen + other.seen, overcome + other.overcome);
        }
    }

    /** By the category of the diagnosis. */
    public SortedMap<String, Failures> failures() {
        SortedMap<String, Failures> counts = new TreeMap<>();
        for (StatsRun run : runs) {
            Failures one = new Failures(1, run.isSolved() ? 1 : 0);
            run.categories().forEach(name -> counts.merge(name, one, Failures::plus));
        }
        return counts;
    }

    /** Why runs ended that have. */
    public SortedMap<String, Integer> stops() {
        SortedMap<String, Integer> counts = new TreeMap<>();
        runs.stream()
                .filter(run -> run.row().finishedAt().isPresent())
                .forEach(run -> counts.merge(run.row().stop(), 1, Integer::sum));
        return counts;
    }

    /** What each role has cost. */
    public SortedMap<String, StatsCost> roles() {
        SortedMap<String, StatsCost> costs = new TreeMap<>();
        for (StatsRun run : runs) {
            for (Map.Entry<String, StatsCost> role : run.roles().entrySet()) {
                costs.merge(role.getKey(), role.getValue(), StatsCost::plus);
            }
        }
        return costs;
    }

    /** How long programs took with their boxes, the shortest first. */
    public List<Duration> programs() {
        return runs.stream().flatMap(run -> run.programs().stream()).sorted().toList();
    }

    /**
     * That which so many in a hundred do not exceed; nothing if there are none.
     *
     * @param sorted the shortest first
     */
    public static Duration percentile(List<Duration> sorted, int percent) {
        return sorted.isEmpty()
                ? Duration.ZERO
                : sorted.get((int) Math.ceilDiv((long) sorted.size() * percent, 100L) - 1);
    }
}
