package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Puts a list together from the differences by which it was kept. */
final class ListReader {

    // More than any conversation has; whoever wrote a list of lists of lists is stopped here.
    private static final int MOST_ELEMENTS = 1 << 20;
    private static final int MOST_LISTS = 1 << 16;

    private final TraceStore store;

    ListReader(TraceStore store) {
        this.store = store;
    }

    /**
     * Reads a list.
     *
     * @throws Malformed if it is none, or too large
     * @throws NotKept if it, or one that it continues, is not there: perhaps it was redacted
     */
    KeptList read(BlobRef reference) {
        byte[] content = content(reference);
        ListBlob list = ListBlob.read(content);
        if (list.length() > MOST_ELEMENTS) {
            throw new Malformed("A list of " + list.length() + " elements is too long");
        }
        int size = (int) list.length();
        List<JsonNode> elements =
                new ArrayList<>(Collections.nCopies(size, (JsonNode) NullNode.getInstance()));
        // From the end to the beginning: of each list what the one that continues it has kept.
        long wanted = size;
        for (int lists = 0; ; lists++) {
            JsonNode added = list.elements(content);
            for (long i = list.keep(); i < wanted; i++) {
                elements.set((int) i, added.get((int) (i - list.keep())));
            }
            wanted = Math.min(wanted, list.keep());
            Optional<BlobRef> base = list.base();
            if (base.isEmpty() || wanted == 0) {
                return new KeptList(reference, List.copyOf(elements));
            }
            if (lists == MOST_LISTS) {
                throw new Malformed("A list that continues more than " + MOST_LISTS + " others");
            }
            content = content(base.get());
            list = ListBlob.read(content);
            if (list.length() < wanted) {
                throw new Malformed("A list keeps more of another than that has");
            }
        }
    }

    private byte[] content(BlobRef reference) {
        Blob blob =
                store.blob(reference.digest())
                        .orElseThrow(
                                () -> new NotKept("The list " + reference.digest() + " is gone"));
        blob.problem(reference)
                .ifPresent(problem -> {
                    throw new Malformed("The list " + blob.digest() + " " + problem);
                });
        return blob.content();
    }
}
