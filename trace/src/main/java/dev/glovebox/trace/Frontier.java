package dev.glovebox.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * As much of a Merkle tree as it takes to continue it: the roots of its complete subtrees, one for
 * each bit of its size.
 */
final class Frontier {

    /** How many leaves make a block, whose hash is kept beside them: as few as a proof can read. */
    static final int BLOCK = 1 << 8;

    // The largest subtree, which is the leftmost, comes first.
    private final Deque<byte[]> peaks;
    private long size;

    Frontier() {
        this(0, List.of());
    }

    private Frontier(long size, Iterable<byte[]> peaks) {
        this.size = size;
        this.peaks = new ArrayDeque<>();
        peaks.forEach(this.peaks::add);
    }

    /**
     * A frontier that was written down.
     *
     * @throws Malformed if it cannot be one
     */
    static Frontier of(long size, List<byte[]> peaks) {
        if (peaks.size() != Long.bitCount(size)) {
            throw new Malformed("Not the frontier of " + size + " leaves");
        }
        return new Frontier(size, peaks);
    }

    Frontier copy() {
        return new Frontier(size, peaks);
    }

    long size() {
        return size;
    }

    List<byte[]> peaks() {
        return new ArrayList<>(peaks);
    }

    /**
     * Adds a leaf.
     *
     * @return the hash of the block that it completes, if it does
     */
    Optional<byte[]> append(byte[] leafHash) {
        Optional<byte[]> block = Optional.empty();
        byte[] hash = leafHash;
        int leaves = 1;
        for (long bits = size; (bits & 1) == 1; bits >>= 1) {
            hash = MerkleTree.nodeHash(peaks.removeLast(), hash);
            leaves <<= 1;
            if (leaves == BLOCK) {
                block = Optional.of(hash);
            }
        }
        peaks.addLast(hash);
        size++;
        return block;
    }

    byte[] root() {
        if (size == 0) {
            return MerkleTree.EMPTY;
        }
        Iterator<byte[]> upwards = peaks.descendingIterator();
        byte[] hash = upwards.next();
        while (upwards.hasNext()) {
            hash = MerkleTree.nodeHash(upwards.next(), hash);
        }
        return hash;
    }
}
