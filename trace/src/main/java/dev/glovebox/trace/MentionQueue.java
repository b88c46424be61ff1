package dev.glovebox.trace;

import java.util.Arrays;
import java.util.HexFormat;

/** Blobs that were mentioned: each once, in the order of first mention; 56 bytes for each. */
final class MentionQueue {

    private static final long SALTED = 1L << 62;
    private static final HexFormat HEX = HexFormat.of();

    private final String media;
    private final DigestTable digests = new DigestTable();
    private long[] lengths = new long[16];
    private int[] seqs = new int[16];
    private int next;

    /**
     * @param media of those that are taken out
     */
    MentionQueue(String media) {
        this.media = media;
    }

    /**
     * A blob that must be there.
     *
     * @param seq the record that mentions it first, directly or through lists
     */
    record Mention(int index, long seq, BlobRef reference) {

        Broken broken(String problem) {
            return Broken.at(seq, "the blob " + reference.digest() + " " + problem);
        }
    }

    int size() {
        return digests.size();
    }

    /** Adds a mention, if it is the first of its blob; its number. */
    int add(long seq, BlobRef reference) {
        int count = digests.size();
        int index = digests.add(HEX.parseHex(reference.digest()));
        long length = length(reference);
        if (index == count) {
            if (index == lengths.length) {
                lengths = Arrays.copyOf(lengths, index * 2);
                seqs = Arrays.copyOf(seqs, index * 2);
            }
            lengths[index] = length;
            seqs[index] = (int) seq;
        } else if (lengths[index] != length) {
            throw differs(seq, reference);
        }
        return index;
    }

    /** Refuses a mention that says something else of a blob than one in here. */
    void compare(long seq, BlobRef reference) {
        int index = digests.find(HEX.parseHex(reference.digest()));
        if (index >= 0 && lengths[index] != length(reference)) {
            throw differs(seq, reference);
        }
    }

    private static long length(BlobRef reference) {
        return reference.bytes() | (reference.salted() ? SALTED : 0);
    }

    private static Broken differs(long seq, BlobRef reference) {
        return Broken.at(seq, "the blob " + reference.digest() + " is mentioned with two lengths");
    }

    boolean isEmpty() {
        return next == digests.size();
    }

    Mention take() {
        int index = next++;
        long length = lengths[index];
        BlobRef reference =
                new BlobRef(
                        HEX.formatHex(digests.get(index)),
                        length & ~SALTED,
                        media,
                        (length & SALTED) != 0);
        return new Mention(index, seqs[index], reference);
    }
}
