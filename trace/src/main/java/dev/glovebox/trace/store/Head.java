package dev.glovebox.trace.store;

import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.Append;

/**
 * Where a run ends.
 *
 * @param id by which the tables name the run
 * @param records how many there are
 * @param hash of the last one
 * @param finished whether one of them says that the run is over
 */
record Head(long id, long records, String hash, boolean finished) {

    /** Of a run that has no records, and no row either. */
    static final Head NONE = new Head(0, 0, Entry.NOTHING, false);

    boolean isContinuedBy(Append append) {
        return records == append.seq() && hash.equals(append.prev());
    }

    Head after(Append append) {
        return new Head(
                id,
                records + append.entries().size(),
                append.entries().getLast().hash(),
                finished || append.entries().stream().anyMatch(Facts::isEnd));
    }

    /** The same of a run that has a row by now. */
    Head with(long row) {
        return new Head(row, records, hash, finished);
    }
}
