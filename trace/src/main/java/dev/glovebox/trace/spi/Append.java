package dev.glovebox.trace.spi;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.Entry;
import java.util.List;
import java.util.Set;

/**
 * Records that continue one run, with the content that they are the first to refer to.
 *
 * @param entries at least one; consecutive, each with the hash of the one before
 * @param blobs content to keep with them, before or together with the records
 * @param references digests of all blobs that the records refer to, directly or through lists, and
 *     that no earlier append of this run has named
 */
public record Append(List<Entry> entries, List<Blob> blobs, Set<String> references) {

    public Append {
        entries = List.copyOf(entries);
        blobs = List.copyOf(blobs);
        references = Set.copyOf(references);
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("Nothing to append");
        }
    }

    public String run() {
        return entries.getFirst().run();
    }

    /** Where the run must have ended: the number of its first record. */
    public long seq() {
        return entries.getFirst().seq();
    }

    /** How the run must have ended: the hash of its last record. */
    public String prev() {
        return entries.getFirst().prev();
    }
}
