package dev.glovebox.trace;

import dev.glovebox.trace.spi.Signed;
import dev.glovebox.trace.spi.TraceStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The whole log as its latest head covers it: for proofs. */
final class LogView {

    private static final int PAGE = 5_000;

    private final MerkleTree tree = new MerkleTree();
    private final Map<String, List<Placed>> byRun = new HashMap<>();
    private final List<Placed> keys = new ArrayList<>();
    private final @Nullable Signed signed;
    private final @Nullable TreeHead head;

    /** A leaf, and where it stands. */
    record Placed(long index, Leaf leaf) {}

    /**
     * Reads the log.
     *
     * @throws Broken if it is not what its head says
     */
    LogView(TraceStore store) {
        Optional<Signed> latest = store.head();
        signed = latest.orElse(null);
        head = latest.map(LogView::read).orElse(null);
        long size = head == null ? 0 : head.size();
        while (tree.size() < size) {
            List<byte[]> page = store.leaves(tree.size(), (int) Math.min(PAGE, size - tree.size()));
            if (page.isEmpty()) {
                throw Broken.because(
                        "the log has %,d leaves, and its head covers %,d"
                                .formatted(tree.size(), size));
            }
            page.forEach(this::add);
        }
        if (head != null && !root(size).equals(head.root())) {
            throw Broken.because("the leaves of the log are not those that its head covers");
        }
    }

    static TreeHead read(Signed head) {
        try {
            return TreeHead.read(head.statement());
        } catch (Malformed e) {
            throw Broken.because(e.getMessage());
        }
    }

    private void add(byte[] bytes) {
        long index = tree.size();
        switch (leaf(index, bytes)) {
            case Leaf.OfRecord record ->
                    byRun.computeIfAbsent(record.run(), run -> new ArrayList<>())
                            .add(new Placed(index, record));
            case Leaf.OfKey key -> keys.add(new Placed(index, key));
        }
        tree.append(MerkleTree.leafHash(bytes));
    }

    static Leaf leaf(long index, byte[] bytes) {
        try {
            return Leaf.read(bytes);
        } catch (Malformed e) {
            throw Broken.because("leaf " + index + " of the log: " + e.getMessage());
        }
    }

    MerkleTree tree() {
        return tree;
    }

    Optional<TreeHead> head() {
        return Optional.ofNullable(head);
    }

    Map<String, List<Placed>> byRun() {
        return byRun;
    }

    /** Where the leaves of a run stand. */
    Set<Long> indexes(String run) {
        Set<Long> indexes = new HashSet<>();
        byRun.getOrDefault(run, List.of()).forEach(placed -> indexes.add(placed.index()));
        return indexes;
    }

    /** See {@link Rotation#inEffect}. */
    List<Signed> inEffect(List<Signed> rotations) {
        Set<String> ids = new HashSet<>();
        for (Placed placed : keys) {
            if (placed.leaf() instanceof Leaf.OfKey of) {
                ids.add(of.key());
            }
        }
        return Rotation.inEffect(rotations, ids);
    }

    /** The root when there were so many leaves. */
    String root(long size) {
        return HexFormat.of().formatHex(tree.root(size));
    }

    /** The key that must have signed the head of so many leaves. */
    String signer(long size) {
        String signer = head == null ? "" : head.log();
        for (Placed key : keys) {
            if (key.index() < size && key.leaf() instanceof Leaf.OfKey next) {
                signer = next.key();
            }
        }
        return signer;
    }

    /** All that the log says of a run, each with its way to the latest head. */
    List<Seal> seals(String run) {
        List<Seal> seals = new ArrayList<>();
        if (head != null && signed != null) {
            for (Placed placed : byRun.getOrDefault(run, List.of())) {
                List<byte[]> proof = tree.inclusion(placed.index(), head.size());
                seals.add(new Seal(head, placed.index(), placed.leaf(), proof, signed.signature()));
            }
        }
        return seals;
    }
}
