package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Shows that a leaf stands in a log whose head was signed. */
record Seal(TreeHead head, long index, Leaf leaf, List<byte[]> proof, String signature) {

    private static final HexFormat HEX = HexFormat.of();

    ObjectNode json() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.set("head", head.json());
        node.put("index", index);
        node.set("leaf", leaf.json());
        ArrayNode hashes = node.putArray("proof");
        proof.forEach(hash -> hashes.add(HEX.formatHex(hash)));
        node.put("signature", signature);
        return node;
    }

    static Seal of(JsonNode json) {
        Members members = new Members("seal", json);
        List<byte[]> proof = new ArrayList<>();
        for (JsonNode hash : members.array("proof")) {
            if (!hash.isTextual() || !Digests.valid(hash.textValue())) {
                throw new Malformed("The seal has a proof that is not of hashes");
            }
            proof.add(HEX.parseHex(hash.textValue()));
        }
        Seal seal =
                new Seal(
                        TreeHead.of(members.object("head")),
                        members.natural("index"),
                        Leaf.of(members.object("leaf")),
                        proof,
                        members.text("signature"));
        members.end();
        if (!VerifyingKey.validSignature(seal.signature())) {
            throw new Malformed("The seal has a signature that is none");
        }
        return seal;
    }

    /** Whether the proof leads from the leaf to the head. */
    boolean leads() {
        return MerkleTree.includes(
                HEX.parseHex(head.root()),
                head.size(),
                index,
                MerkleTree.leafHash(leaf.bytes()),
                proof);
    }
}
