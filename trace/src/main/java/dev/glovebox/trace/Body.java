package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a record says of its event.
 *
 * @param derived what follows from the program and earlier observations: the same in a replay
 * @param observed what came from outside
 */
public record Body(JsonNode derived, JsonNode observed) {

    public Body {
        if (!derived.isObject() || !observed.isObject()) {
            throw new Malformed("A body has two objects, 'derived' and 'observed'");
        }
    }

    /** The part of a record that a replay must repeat, as bytes; see {@link ReplayDigest}. */
    byte[] replayLine(String type) {
        ByteText out = new ByteText();
        out.ascii("{\"derived\":");
        CanonicalJson.write(derived, out);
        out.ascii(",\"type\":\"");
        out.ascii(type);
        out.ascii("\"}");
        return out.bytes();
    }

    /** Writes it; where the derived part ends. */
    int write(ByteText out) {
        out.ascii("{\"derived\":");
        CanonicalJson.write(derived, out);
        int end = out.size();
        out.ascii(",\"observed\":");
        CanonicalJson.write(observed, out);
        out.add('}');
        return end;
    }
}
