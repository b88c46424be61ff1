package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A value, and the members of it that are kept apart; see {@link Effect#apart}. In their place the
 * JSON of the value has digests. What is empty stays where it is.
 */
final class Parts {

    private static final String NAME = "name";
    private static final String CONTENT = "content";

    private final Object value;
    private final @Nullable JsonNode whole;
    private final List<Part> all;
    private byte @Nullable [] json;
    private @Nullable JsonNode rest;

    private Parts(Object value, @Nullable JsonNode whole, @Nullable JsonNode rest, List<Part> all) {
        this.value = value;
        this.whole = whole;
        this.rest = rest;
        this.all = all;
    }

    /**
     * One of them.
     *
     * @param name of a content among several; empty if the member is one itself
     */
    record Part(String member, Optional<String> name, byte[] content, String media) {

        /** Where details name it. */
        Optional<BlobRef> reference(JsonNode details) {
            JsonNode here = details.path(member);
            if (name.isEmpty()) {
                return here.has("blob") ? Optional.of(BlobRef.of(here)) : Optional.empty();
            }
            return here.valueStream()
                    .filter(one -> one.path(NAME).asText().equals(name.get()))
                    .findFirst()
                    .map(one -> BlobRef.of(one.path(CONTENT)));
        }

        /** For people. */
        String words() {
            return "the " + member + name.map(one -> " " + one).orElse("");
        }
    }

    static Parts of(Object value, Map<String, String> apart) {
        if (apart.isEmpty() || hasNone(value, apart)) {
            return new Parts(value, null, value instanceof JsonNode tree ? tree : null, List.of());
        }
        JsonNode whole = Json.binaryTree(value);
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        rest.setAll((ObjectNode) whole);
        List<Part> all = new ArrayList<>();
        new TreeMap<>(apart).forEach((member, media) -> take(rest, member, media, all));
        return new Parts(value, whole, rest, all);
    }

    /** Whether nothing is there that would be kept apart. */
    private static boolean hasNone(Object value, Map<String, String> apart) {
        if (value instanceof JsonNode tree) {
            for (String member : apart.keySet()) {
                if (tree.has(member)) {
                    return false;
                }
            }
            return true;
        }
        if (!(Shape.of(value.getClass()) instanceof RecordShape shape)) {
            return false;
        }
        for (RecordShape.Part part : shape.parts()) {
            if (apart.containsKey(part.name()) && !Optional.empty().equals(part.of(value))) {
                return false;
            }
        }
        return true;
    }

    private static void take(ObjectNode rest, String member, String media, List<Part> all) {
        JsonNode value = rest.path(member);
        if (media.equals(BlobRef.JSON)) {
            if (!value.isEmpty()) {
                Part part = new Part(member, Optional.empty(), Json.bytes(value), media);
                all.add(part);
                rest.put(member, digest(part));
            }
        } else if (value instanceof ObjectNode several) {
            ObjectNode digests = rest.putObject(member);
            several.properties()
                    .forEach(one -> {
                        Part part =
                                new Part(
                                        member,
                                        Optional.of(one.getKey()),
                                        bytes(one.getValue()),
                                        media);
                        all.add(part);
                        digests.put(one.getKey(), digest(part));
                    });
        } else if (!value.isMissingNode() && !value.isNull() && bytes(value).length > 0) {
            Part part = new Part(member, Optional.empty(), bytes(value), media);
            all.add(part);
            rest.put(member, digest(part));
        }
    }

    private static byte[] bytes(JsonNode value) {
        try {
            byte[] bytes = value.binaryValue();
            if (bytes != null) {
                return bytes;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new IllegalArgumentException("What is kept apart must be bytes");
    }

    private static String digest(Part part) {
        return Blob.of(part.content()).digest();
    }

    /** Keeps them, and names them in details. */
    void keep(ObjectNode details, Function<Part, BlobRef> keeping) {
        for (Part part : all) {
            ObjectNode reference = keeping.apply(part).json();
            if (part.name().isEmpty()) {
                details.set(part.member(), reference);
            } else {
                // A list, since an object with a member of any name could be taken for a reference.
                details.withArray("/" + part.member())
                        .addObject()
                        .put(NAME, part.name().get())
                        .set(CONTENT, reference);
            }
        }
    }

    /** With everything in it. */
    JsonNode whole() {
        return whole == null ? rest() : whole;
    }

    /** With digests in place of what is apart. */
    JsonNode rest() {
        JsonNode read = rest == null ? Json.tree(json()) : rest;
        rest = read;
        return read;
    }

    /** The rest. */
    byte[] json() {
        byte[] known = json == null ? Json.bytes(rest == null ? value : rest) : json;
        json = known;
        return known;
    }

    /**
     * As it is written, and as it would be read from the record.
     *
     * @throws IllegalArgumentException if it cannot be written
     */
    <T> Json.Written<T> written(T whole, Class<T> type) {
        return all.isEmpty() ? Json.written(whole, type) : new Json.Written<>(json(), value(type));
    }

    /** As it would be read from the record. */
    <T> T value(Class<T> type) {
        if (all.isEmpty()) {
            return Json.value(json(), type);
        }
        ObjectNode read = (ObjectNode) Json.tree(json());
        for (Part part : all) {
            if (part.name().isPresent()) {
                read.withObject("/" + part.member()).put(part.name().get(), part.content());
            } else {
                put(read, part.member(), part.media(), part.content());
            }
        }
        return Json.value(read, type);
    }

    /** A recorded value, put together again. */
    static <T> T value(
            byte[] json,
            JsonNode details,
            Map<String, String> apart,
            Class<T> type,
            Function<BlobRef, byte[]> contents) {
        if (apart.isEmpty()) {
            return Json.value(json, type);
        }
        ObjectNode whole = (ObjectNode) Json.tree(json);
        apart.forEach((member, media) -> {
            JsonNode here = details.path(member);
            if (here.isArray()) {
                ObjectNode several = whole.putObject(member);
                here.forEach(one ->
                        several.put(
                                one.path(NAME).asText(),
                                contents.apply(BlobRef.of(one.path(CONTENT)))));
            } else if (here.has("blob")) {
                put(whole, member, media, contents.apply(BlobRef.of(here)));
            }
        });
        return Json.value(whole, type);
    }

    private static void put(ObjectNode whole, String member, String media, byte[] content) {
        if (media.equals(BlobRef.JSON)) {
            whole.set(member, Json.tree(content));
        } else {
            whole.put(member, content);
        }
    }
}
