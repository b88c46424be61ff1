package dev.glovebox.trace;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;

/**
 * As much of a Merkle tree as it takes to continue it: the roots of its complete subtrees, one for
 * each bit of its size.
 */
final class Frontier {

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

    void append(byte[] leafHash) {
        byte[] hash = leafHash;
        for (long bits = size; (bits & 1) == 1; bits >>= 1) {
            hash = MerkleTree.nodeHash(peaks.removeLast(), hash);
        }
        peaks.addLast(hash);
        size++;
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
