package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Compares the tree with the definitions of RFC 6962, written down as they stand there. */
class MerkleTreeProperties {

    private static final int MOST = 200;

    private static List<byte[]> leaves(int count) {
        List<byte[]> leaves = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            leaves.add(new byte[] {(byte) i, (byte) (i >> 8)});
        }
        return leaves;
    }

    private static MerkleTree tree(List<byte[]> leaves) {
        MerkleTree tree = new MerkleTree();
        leaves.forEach(leaf -> tree.append(MerkleTree.leafHash(leaf)));
        return tree;
    }

    private static byte[] mth(List<byte[]> d) {
        if (d.isEmpty()) {
            return Digests.raw();
        }
        if (d.size() == 1) {
            return Digests.raw(new byte[] {0}, d.getFirst());
        }
        int k = k(d.size());
        return Digests.raw(new byte[] {1}, mth(d.subList(0, k)), mth(d.subList(k, d.size())));
    }

    private static int k(int n) {
        int k = 1;
        while (k * 2 < n) {
            k *= 2;
        }
        return k;
    }

    private static List<byte[]> path(int m, List<byte[]> d) {
        List<byte[]> path = new ArrayList<>();
        if (d.size() > 1) {
            int k = k(d.size());
            List<byte[]> left = d.subList(0, k);
            List<byte[]> right = d.subList(k, d.size());
            path.addAll(m < k ? path(m, left) : path(m - k, right));
            path.add(m < k ? mth(right) : mth(left));
        }
        return path;
    }

    private static List<byte[]> subproof(int m, List<byte[]> d, boolean known) {
        if (m == d.size()) {
            return known ? List.of() : List.of(mth(d));
        }
        int k = k(d.size());
        List<byte[]> left = d.subList(0, k);
        List<byte[]> right = d.subList(k, d.size());
        List<byte[]> proof =
                new ArrayList<>(m <= k ? subproof(m, left, known) : subproof(m - k, right, false));
        proof.add(m <= k ? mth(right) : mth(left));
        return proof;
    }

    @Property(tries = 200)
    void rootsAreThoseOfTheDefinition(@ForAll @IntRange(max = MOST) int size) {
        List<byte[]> leaves = leaves(size);
        Frontier frontier = new Frontier();
        leaves.forEach(leaf -> frontier.append(MerkleTree.leafHash(leaf)));

        assertThat(tree(leaves(MOST)).root(size)).isEqualTo(mth(leaves));
        assertThat(frontier.root()).isEqualTo(mth(leaves));
        assertThat(Frontier.of(size, frontier.peaks()).root()).isEqualTo(mth(leaves));
    }

    @Property(tries = 300)
    void inclusionProofsAreThoseOfTheDefinitionAndFitNothingElse(
            @ForAll @IntRange(min = 1, max = MOST) int size,
            @ForAll @IntRange(max = MOST - 1) int number,
            @ForAll @IntRange(max = MOST - 1) int otherNumber) {
        int index = number % size;
        int other = otherNumber % size;
        List<byte[]> leaves = leaves(size);
        List<byte[]> proof = tree(leaves(MOST)).inclusion(index, size);
        byte[] root = mth(leaves);
        byte[] leaf = MerkleTree.leafHash(leaves.get(index));

        assertThat(proof).usingRecursiveComparison().isEqualTo(path(index, leaves));
        assertThat(MerkleTree.includes(root, size, index, leaf, proof)).isTrue();
        assertThat(MerkleTree.includes(root, size, other, leaf, proof)).isEqualTo(other == index);
        assertThat(MerkleTree.includes(root, size, size, leaf, proof)).isFalse();
        List<byte[]> longer = new ArrayList<>(proof);
        longer.add(root);
        assertThat(MerkleTree.includes(root, size, index, leaf, longer)).isFalse();
        if (!proof.isEmpty()) {
            List<byte[]> shorter = proof.subList(0, proof.size() - 1);
            assertThat(MerkleTree.includes(root, size, index, leaf, shorter)).isFalse();
            byte[] flipped = proof.getFirst().clone();
            flipped[other % flipped.length] ^= 1;
            List<byte[]> changed = new ArrayList<>(proof);
            changed.set(0, flipped);
            assertThat(MerkleTree.includes(root, size, index, leaf, changed)).isFalse();
        }
    }

    @Property(tries = 300)
    void consistencyProofsAreThoseOfTheDefinitionAndFitNothingElse(
            @ForAll @IntRange(min = 1, max = MOST) int size,
            @ForAll @IntRange(max = MOST - 1) int number) {
        int earlier = number % size + 1;
        List<byte[]> leaves = leaves(size);
        List<byte[]> proof = tree(leaves(MOST)).consistency(earlier, size);
        byte[] before = mth(leaves.subList(0, earlier));
        byte[] now = mth(leaves);

        assertThat(proof).usingRecursiveComparison().isEqualTo(subproof(earlier, leaves, true));
        assertThat(MerkleTree.consistent(earlier, before, size, now, proof)).isTrue();
        byte[] another = before.clone();
        another[0] ^= 1;
        assertThat(MerkleTree.consistent(earlier, another, size, now, proof)).isFalse();
        byte[] other = now.clone();
        other[0] ^= 1;
        assertThat(MerkleTree.consistent(earlier, before, size, other, proof)).isFalse();
        if (!proof.isEmpty()) {
            List<byte[]> shorter = proof.subList(0, proof.size() - 1);
            assertThat(MerkleTree.consistent(earlier, before, size, now, shorter)).isFalse();
        }
    }
}
