package dev.glovebox.trace;

import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Finds a run by what people type. */
final class RunSearch {

    private static final String LAST = "last";
    private static final int PAGE = 500;

    // A run gets its name a moment before its first record, by the same clock.
    private static final Duration SLACK = Duration.ofMinutes(1);

    private final TraceStore store;

    RunSearch(TraceStore store) {
        this.store = store;
    }

    RunRow find(String name) {
        if (name.equals(LAST)) {
            return store.runs(RunQuery.newest(1)).stream()
                    .findFirst()
                    .orElseThrow(() -> new NoSuchRun("There are no runs yet"));
        }
        return store.run(name).orElseGet(() -> byBeginning(name));
    }

    /** Names begin with their time: only the runs of that time are looked at. */
    private RunRow byBeginning(String name) {
        if (!RunNames.possible(name)) {
            throw new NoSuchRun("There is no run " + name);
        }
        long slack = micros(SLACK.toMillis());
        long earliest = micros(RunNames.time(name, false)) - slack;
        RunRow last = row(micros(RunNames.time(name, true)) + slack);
        Optional<RunRow> found = Optional.empty();
        while (last.startedAt() >= earliest) {
            List<RunRow> page = store.runs(after(last));
            for (RunRow row : page) {
                if (row.run().startsWith(name)) {
                    if (found.isPresent()) {
                        throw new NoSuchRun("More than one run begins with " + name);
                    }
                    found = Optional.of(row);
                }
            }
            if (page.isEmpty()) {
                break;
            }
            last = page.getLast();
        }
        return found.orElseThrow(() -> new NoSuchRun("No run begins with " + name));
    }

    private static long micros(long millis) {
        return millis * 1_000;
    }

    /** A run that is not there, to begin the list behind it. */
    private static RunRow row(long startedAt) {
        return new RunRow(
                "", "", "", startedAt, OptionalLong.empty(), "", 0, "", OptionalLong.empty());
    }

    private static RunQuery after(RunRow row) {
        return new RunQuery(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(row), PAGE);
    }
}
