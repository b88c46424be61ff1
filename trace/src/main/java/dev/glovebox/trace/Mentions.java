package dev.glovebox.trace;

import dev.glovebox.trace.MentionQueue.Mention;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;

/**
 * The blobs that must be there since a run mentions them, directly or through lists.
 *
 * <p>They are asked for in the order of an export: the lists first, since they mention further
 * blobs; so whoever reads one knows of each blob what it must be before it comes.
 */
final class Mentions {

    /** No run mentions more. */
    static final int MOST = 1 << 22;

    private final MentionQueue lists = new MentionQueue(BlobRef.LIST);
    private final MentionQueue others = new MentionQueue(BlobRef.BYTES);
    private final DigestTable redacted = new DigestTable();
    // Of lists: how many elements they have, and as long as nobody knows, how many they must have.
    private final Map<Integer, Long> elements = new HashMap<>();
    private final Map<Integer, Long> needed = new HashMap<>();

    /** Takes in what a record refers to. */
    void add(long seq, BlobRef reference) {
        index(seq, reference);
    }

    private int index(long seq, BlobRef reference) {
        int index = (reference.list() ? lists : others).add(seq, reference);
        // One that was redacted is never read, so nothing else would show it.
        (reference.list() ? others : lists).compare(seq, reference);
        if (lists.size() + others.size() > MOST) {
            throw Broken.at(seq, "the run refers to more than " + MOST + " blobs");
        }
        return index;
    }

    /** Takes in what a list that was asked for refers to. */
    void add(Mention mention, byte[] content) {
        try {
            ListBlob list = ListBlob.read(content);
            if (needed.getOrDefault(mention.index(), 0L) > list.length()) {
                throw mention.broken("is a list of which more was kept than it has");
            }
            elements.put(mention.index(), list.length());
            list.base().ifPresent(base -> base(mention, base, list.keep()));
            list.references(content, reference -> index(mention.seq(), reference));
        } catch (Malformed e) {
            throw mention.broken("is not a list: " + e.getMessage());
        }
    }

    private void base(Mention mention, BlobRef base, long keep) {
        int index = index(mention.seq(), base);
        Long length = elements.get(index);
        if (length == null) {
            needed.merge(index, keep, Math::max);
        } else if (keep > length) {
            throw mention.broken("keeps more of a list than that has");
        }
    }

    void redact(String digest) {
        redacted.add(HexFormat.of().parseHex(digest));
    }

    /** The next one that must be there; all lists before the first that is none. */
    Optional<Mention> next() {
        while (!lists.isEmpty() || !others.isEmpty()) {
            Mention mention = (lists.isEmpty() ? others : lists).take();
            if (!redacted.contains(HexFormat.of().parseHex(mention.reference().digest()))) {
                return Optional.of(mention);
            }
        }
        return Optional.empty();
    }
}
