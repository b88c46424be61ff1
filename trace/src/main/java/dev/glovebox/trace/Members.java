package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

/** Takes an object apart, and refuses it if a member is missing, wrong or unknown. */
final class Members {

    private final String what;
    private final JsonNode object;
    private int taken;

    Members(String what, JsonNode object) {
        this.what = what;
        this.object = object;
        if (!object.isObject()) {
            throw wrong("is not an object");
        }
    }

    static Members read(String what, byte[] canonical) {
        return new Members(what, CanonicalScanner.read(canonical));
    }

    boolean has(String name) {
        return object.has(name);
    }

    String text(String name) {
        JsonNode value = take(name);
        if (!value.isTextual()) {
            throw wrong("has no text '" + name + "'");
        }
        return value.textValue();
    }

    /** 64 hexadecimal digits. */
    String digest(String name) {
        String text = text(name);
        if (!Digests.valid(text)) {
            throw wrong("has no SHA-256 '" + name + "'");
        }
        return text;
    }

    /** An integer that is not negative. */
    long natural(String name) {
        JsonNode value = take(name);
        if (!value.canConvertToLong() || value.longValue() < 0) {
            throw wrong("has no number '" + name + "'");
        }
        return value.longValue();
    }

    JsonNode object(String name) {
        JsonNode value = take(name);
        if (!value.isObject()) {
            throw wrong("has no object '" + name + "'");
        }
        return value;
    }

    ArrayNode array(String name) {
        if (!(take(name) instanceof ArrayNode array)) {
            throw wrong("has no array '" + name + "'");
        }
        return array;
    }

    void version() {
        long version = natural("v");
        if (version != Entry.VERSION) {
            throw wrong("has the unknown version " + version);
        }
    }

    /** Refuses members that were not asked for. */
    void end() {
        if (taken != object.size()) {
            throw wrong("has a member that it should not have");
        }
    }

    private JsonNode take(String name) {
        taken++;
        return object.path(name);
    }

    private Malformed wrong(String problem) {
        return new Malformed("The " + what + " " + problem);
    }
}
