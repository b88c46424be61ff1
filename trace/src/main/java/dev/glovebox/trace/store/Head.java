package dev.glovebox.trace.store;

import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.Append;

/**
 * Where a run ends.
 *
 * @param id by which the tables name the run
 * @param records how many there are
 * @param hash of the last one
 */
record Head(long id, long records, String hash) {

    /** Of a run that has no records, and no row either. */
    static final Head NONE = new Head(0, 0, Entry.NOTHING);

    boolean isContinuedBy(Append append) {
        return records == append.seq() && hash.equals(append.prev());
    }

    Head after(Append append) {
        return new Head(id, records + append.entries().size(), append.entries().getLast().hash());
    }
}
