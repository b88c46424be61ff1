package dev.glovebox.trace;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A Merkle tree as of RFC 6962, section 2.1, with all its inner nodes: for proofs.
 *
 * <p>Whoever only continues a tree needs no more than a {@link Frontier}.
 */
final class MerkleTree {

    /** The root of the tree without leaves. */
    static final byte[] EMPTY = Digests.raw();

    private static final byte[] LEAF = {0};
    private static final byte[] NODE = {1};

    // Level k has the roots of the complete subtrees of 2^k leaves, from left to right.
    private final List<HashList> levels = new ArrayList<>(List.of(new HashList()));

    static byte[] leafHash(byte[] leaf) {
        return Digests.raw(LEAF, leaf);
    }

    static byte[] nodeHash(byte[] left, byte[] right) {
        return Digests.raw(NODE, left, right);
    }

    long size() {
        return levels.getFirst().size();
    }

    void append(byte[] leafHash) {
        byte[] hash = leafHash;
        int level = 0;
        levels.getFirst().add(hash);
        while (levels.get(level).size() % 2 == 0) {
            HashList below = levels.get(level);
            hash = nodeHash(below.get(below.size() - 2), hash);
            level++;
            if (level == levels.size()) {
                levels.add(new HashList());
            }
            levels.get(level).add(hash);
        }
    }

    /** The root when there were so many leaves. */
    byte[] root(long size) {
        return size == 0 ? EMPTY : root(0, within(size));
    }

    /** Leads from a leaf to the root when there were so many leaves: from the sibling up. */
    List<byte[]> inclusion(long index, long size) {
        int to = within(size);
        int leaf = within(index + 1) - 1;
        if (leaf >= to) {
            throw new IllegalArgumentException("No leaf " + index + " among " + size);
        }
        List<byte[]> down = new ArrayList<>();
        int from = 0;
        while (to - from > 1) {
            int split = from + split(to - from);
            if (leaf < split) {
                down.add(root(split, to));
                to = split;
            } else {
                down.add(root(from, split));
                from = split;
            }
        }
        return down.reversed();
    }

    /** Shows that the tree of so many leaves began as the one of fewer. */
    List<byte[]> consistency(long earlier, long size) {
        int to = within(size);
        int old = within(earlier);
        if (old > to) {
            throw new IllegalArgumentException(earlier + " leaves are not before " + size);
        }
        if (old == 0 || old == to) {
            return List.of();
        }
        List<byte[]> down = new ArrayList<>();
        int from = 0;
        while (old < to) {
            int split = from + split(to - from);
            if (old <= split) {
                down.add(root(split, to));
                to = split;
            } else {
                down.add(root(from, split));
                from = split;
            }
        }
        // A part that is the whole old tree is what the other side has already.
        if (from > 0) {
            down.add(root(from, to));
        }
        return down.reversed();
    }

    private int within(long size) {
        if (size < 0 || size > size()) {
            throw new IllegalArgumentException(size + " of " + size() + " leaves");
        }
        return (int) size;
    }

    private byte[] root(int from, int to) {
        int count = to - from;
        if (Integer.bitCount(count) == 1) {
            int level = Integer.numberOfTrailingZeros(count);
            return levels.get(level).get(from >> level);
        }
        int split = from + split(count);
        return nodeHash(root(from, split), root(split, to));
    }

    /** The largest power of two below. */
    private static int split(int count) {
        return Integer.highestOneBit(count - 1);
    }

    /** Whether a proof leads from a leaf to a root. RFC 9162, section 2.1.3.2. */
    static boolean includes(
            byte[] root, long size, long index, byte[] leafHash, List<byte[]> proof) {
        if (index < 0 || index >= size) {
            return false;
        }
        long node = index;
        long last = size - 1;
        byte[] hash = leafHash;
        for (byte[] sibling : proof) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                hash = nodeHash(sibling, hash);
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                hash = nodeHash(hash, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && Arrays.equals(hash, root);
    }

    /** Whether a proof shows that a tree began as an earlier one. RFC 9162, section 2.1.4.2. */
    static boolean consistent(
            long earlier, byte[] earlierRoot, long size, byte[] root, List<byte[]> proof) {
        if (earlier == 0 || earlier == size) {
            byte[] expected = earlier == 0 ? EMPTY : root;
            return proof.isEmpty() && Arrays.equals(earlierRoot, expected);
        }
        if (earlier < 0 || earlier > size) {
            return false;
        }
        List<byte[]> path = new ArrayList<>(proof);
        if (Long.bitCount(earlier) == 1) {
            path.addFirst(earlierRoot);
        }
        if (path.isEmpty()) {
            return false;
        }
        int level = Long.numberOfTrailingZeros(earlier);
        long node = (earlier - 1) >> level;
        long last = (size - 1) >> level;
        byte[] old = path.getFirst();
        byte[] now = old;
        for (byte[] sibling : path.subList(1, path.size())) {
            if (last == 0) {
                return false;
            }
            if ((node & 1) == 1 || node == last) {
                old = nodeHash(sibling, old);
                now = nodeHash(sibling, now);
                while ((node & 1) == 0 && node != 0) {
                    node >>= 1;
                    last >>= 1;
                }
            } else {
                now = nodeHash(now, sibling);
            }
            node >>= 1;
            last >>= 1;
        }
        return last == 0 && Arrays.equals(old, earlierRoot) && Arrays.equals(now, root);
    }
}
