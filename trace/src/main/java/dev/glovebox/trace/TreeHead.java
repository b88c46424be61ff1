package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;

/**
 * What is signed: the state of the log at some moment.
 *
 * @param at microseconds since 1970
 * @param key the id of the key that signs it
 * @param log the name of the log: the id of its first key
 * @param root of the tree of the first leaves
 * @param size how many leaves these are
 */
record TreeHead(long at, String key, String log, String root, long size) {

    /** Signed before the head, so that its signature is good for nothing else. */
    static final byte[] PREFIX = "glovebox-tree-head-v1\n".getBytes(StandardCharsets.US_ASCII);

    ObjectNode json() {
        return JsonNodeFactory.instance
                .objectNode()
                .put("at", at)
                .put("key", key)
                .put("log", log)
                .put("root", root)
                .put("size", size)
                .put("v", Entry.VERSION);
    }

    byte[] bytes() {
        return CanonicalJson.bytes(json());
    }

    static TreeHead read(byte[] head) {
        return of(CanonicalScanner.read(head));
    }

    static TreeHead of(JsonNode json) {
        Members members = new Members("head", json);
        TreeHead head =
                new TreeHead(
                        members.natural("at"),
                        members.digest("key"),
                        members.digest("log"),
                        members.digest("root"),
                        members.natural("size"));
        members.version();
        members.end();
        if (head.size() == 0) {
            throw new Malformed("The head is of no leaves");
        }
        return head;
    }
}
