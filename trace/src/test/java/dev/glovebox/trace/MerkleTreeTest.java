package dev.glovebox.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The tree of eight leaves that the tests of Certificate Transparency have used since RFC 6962. */
class MerkleTreeTest {

    private static final List<String> LEAVES =
            List.of(
                    "",
                    "00",
                    "10",
                    "2021",
                    "3031",
                    "40414243",
                    "5051525354555657",
                    "606162636465666768696a6b6c6d6e6f");

    private static final List<String> ROOTS =
            List.of(
                    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
                    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
                    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
                    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
                    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
                    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
                    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
                    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328");

    private static final String LEAF_1 =
            "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7";
    private static final String LEAVES_2_3 =
            "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e";
    private static final String LEAF_4 =
            "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b";
    private static final String LEAVES_4_5 =
            "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a";
    private static final String LEAVES_6_7 =
            "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0";
    private static final String LEAVES_4_7 =
            "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4";

    private static MerkleTree tree() {
        MerkleTree tree = new MerkleTree();
        LEAVES.forEach(leaf -> tree.append(MerkleTree.leafHash(bytes(leaf))));
        return tree;
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void hasThePublishedRoots() {
        MerkleTree tree = tree();
        Frontier frontier = new Frontier();
        for (int size = 0; size <= LEAVES.size(); size++) {
            assertThat(hex(tree.root(size))).isEqualTo(ROOTS.get(size));
            assertThat(hex(frontier.root())).isEqualTo(ROOTS.get(size));
            if (size < LEAVES.size()) {
                frontier.append(MerkleTree.leafHash(bytes(LEAVES.get(size))));
            }
        }
    }

    @Test
    void hasThePublishedInclusionProofs() {
        assertThat(inclusion(0, 1)).isEmpty();
        assertThat(inclusion(0, 8)).containsExactly(LEAF_1, LEAVES_2_3, LEAVES_4_7);
        assertThat(inclusion(5, 8)).containsExactly(LEAF_4, LEAVES_6_7, ROOTS.get(4));
        assertThat(inclusion(2, 3)).containsExactly(ROOTS.get(2));
        assertThat(inclusion(1, 5)).containsExactly(ROOTS.get(1), LEAVES_2_3, LEAF_4);
    }

    private static List<String> inclusion(int index, int size) {
        List<byte[]> proof = tree().inclusion(index, size);
        byte[] leaf = MerkleTree.leafHash(bytes(LEAVES.get(index)));
        assertThat(MerkleTree.includes(bytes(ROOTS.get(size)), size, index, leaf, proof)).isTrue();
        return proof.stream().map(MerkleTreeTest::hex).toList();
    }

    @Test
    void hasThePublishedConsistencyProofs() {
        assertThat(consistency(1, 1)).isEmpty();
        assertThat(consistency(1, 8)).containsExactly(LEAF_1, LEAVES_2_3, LEAVES_4_7);
        assertThat(consistency(6, 8)).containsExactly(LEAVES_4_5, LEAVES_6_7, ROOTS.get(4));
        assertThat(consistency(2, 5)).containsExactly(LEAVES_2_3, LEAF_4);
    }

    private static List<String> consistency(int earlier, int size) {
        List<byte[]> proof = tree().consistency(earlier, size);
        assertThat(
                        MerkleTree.consistent(
                                earlier,
                                bytes(ROOTS.get(earlier)),
                                size,
                                bytes(ROOTS.get(size)),
                                proof))
                .isTrue();
        return proof.stream().map(MerkleTreeTest::hex).toList();
    }
}
