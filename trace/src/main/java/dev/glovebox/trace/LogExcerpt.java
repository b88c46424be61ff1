package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * As much of the log as it takes to prove what it says of one run: the hashes of its blocks, and
 * the leaves of those blocks that the run is named in.
 *
 * <p>What it says is proved by the latest head; that it says nothing else is not. The whole log
 * shows that: {@link LogView}.
 */
final class LogExcerpt {

    private final TraceStore store;
    private final @Nullable Signed signed;
    private final @Nullable TreeHead head;
    private final long size;
    private final MerkleTree blocks = new MerkleTree();
    private long latestNumber = -1;
    private MerkleTree latest = new MerkleTree();

    /**
     * Reads the blocks.
     *
     * @throws Broken if they are not what the head says
     */
    LogExcerpt(TraceStore store) {
        this.store = store;
        Optional<Signed> stored = store.head();
        signed = stored.orElse(null);
        head = stored.map(LogView::read).orElse(null);
        size = head == null ? 0 : head.size();
        long complete = size / Frontier.BLOCK;
        store.blocks().stream().limit(complete).forEach(blocks::append);
        if (blocks.size() < complete) {
            throw notCovered();
        }
        if (size % Frontier.BLOCK > 0) {
            blocks.append(block(complete).root(size % Frontier.BLOCK));
        }
        String root = HexFormat.of().formatHex(blocks.root(blocks.size()));
        if (head != null && !root.equals(head.root())) {
            throw notCovered();
        }
    }

    private static Broken notCovered() {
        return Broken.because("the leaves of the log are not those that its head covers");
    }

    /** All that is found of a run, each with its way to the latest head. */
    List<Seal> seals(String run) {
        List<Seal> seals = new ArrayList<>();
        if (head != null && signed != null) {
            for (Map.Entry<Long, Leaf> leaf : leaves(run).entrySet()) {
                long index = leaf.getKey();
                seals.add(new Seal(head, index, leaf.getValue(), proof(index), signed.signature()));
            }
        }
        return seals;
    }

    /** See {@link Rotation#inEffect}. */
    List<Signed> inEffect(List<Signed> rotations) {
        Set<String> keys = new TreeSet<>();
        for (Seal seal : seals("")) {
            if (!(seal.leaf() instanceof Leaf.OfKey of) || !seal.leads()) {
                throw notCovered();
            }
            keys.add(of.key());
        }
        return Rotation.inEffect(rotations, keys);
    }

    private SortedMap<Long, Leaf> leaves(String run) {
        SortedMap<Long, Leaf> leaves = new TreeMap<>();
        store.leavesOf(run)
                .headMap(size)
                .forEach((index, bytes) -> leaves.put(index, LogView.leaf(index, bytes)));
        return leaves;
    }

    private List<byte[]> proof(long index) {
        long number = index / Frontier.BLOCK;
        MerkleTree block = block(number);
        List<byte[]> proof = new ArrayList<>(block.inclusion(index % Frontier.BLOCK, block.size()));
        proof.addAll(blocks.inclusion(number, blocks.size()));
        return proof;
    }

    private MerkleTree block(long number) {
        if (number != latestNumber) {
            long from = number * Frontier.BLOCK;
            int count = (int) Math.min(Frontier.BLOCK, size - from);
            MerkleTree tree = new MerkleTree();
            store.leaves(from, count).forEach(leaf -> tree.append(MerkleTree.leafHash(leaf)));
            if (tree.size() < count) {
                throw notCovered();
            }
            latest = tree;
            latestNumber = number;
        }
        return latest;
    }
}
