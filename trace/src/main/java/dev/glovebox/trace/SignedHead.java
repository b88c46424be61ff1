package dev.glovebox.trace;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.spi.Signed;
import java.util.Arrays;

/** A signed head as a line of its own, for whoever keeps it elsewhere. */
final class SignedHead {

    private SignedHead() {}

    static byte[] line(Signed head) {
        ObjectNode line = JsonNodeFactory.instance.objectNode();
        line.set("head", TreeHead.read(head.statement()).json());
        line.put("signature", head.signature());
        byte[] bytes = CanonicalJson.bytes(line);
        byte[] withEnd = Arrays.copyOf(bytes, bytes.length + 1);
        withEnd[bytes.length] = '\n';
        return withEnd;
    }

    static Signed read(byte[] line) {
        int end = line.length > 0 && line[line.length - 1] == '\n' ? line.length - 1 : line.length;
        Members members = Members.read("head that was kept", Arrays.copyOf(line, end));
        TreeHead head = TreeHead.of(members.object("head"));
        Signed signed = new Signed(head.bytes(), members.text("signature"));
        members.end();
        return signed;
    }
}
