package dev.glovebox.run.support;

import dev.glovebox.trace.conformance.StoreInFront;
import dev.glovebox.trace.spi.RunQuery;
import dev.glovebox.trace.spi.RunRow;
import dev.glovebox.trace.spi.TraceStore;
import java.util.List;
import java.util.Optional;

/** A store of which only one run can be seen, as if all others were lost. */
public final class OneRun extends StoreInFront {

    private final String only;

    public OneRun(TraceStore store, String only) {
        super(store);
        this.only = only;
    }

    @Override
    public List<byte[]> lines(String run, long from, int most) {
        return run.equals(only) ? super.lines(run, from, most) : List.of();
    }

    @Override
    public Optional<RunRow> run(String run) {
        return run.equals(only) ? super.run(run) : Optional.empty();
    }

    @Override
    public List<RunRow> runs(RunQuery query) {
        return super.runs(query).stream().filter(row -> row.run().equals(only)).toList();
    }
}
