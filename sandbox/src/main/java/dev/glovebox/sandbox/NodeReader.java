package dev.glovebox.sandbox;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import dev.glovebox.sandbox.Node.Entry;
import dev.glovebox.sandbox.Node.Kind;
import dev.glovebox.sandbox.Node.Mapping;
import dev.glovebox.sandbox.Node.Place;
import dev.glovebox.sandbox.Node.Scalar;
import dev.glovebox.sandbox.Node.Sequence;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/** Reads YAML or JSON into nodes: bounded in size and depth, no aliases, no tags, no duplicates. */
final class NodeReader {

    private static final int LONGEST_TEXT = 64 * 1024;
    private static final int DEEPEST = 8;
    private static final Pattern GOT_INSTEAD =
            Pattern.compile(",? got this instead.*", Pattern.DOTALL);

    private final String source;
    private final JsonParser parser;
    private final BooleanSupplier onAlias;

    private NodeReader(String source, JsonParser parser, BooleanSupplier onAlias) {
        this.source = source;
        this.parser = parser;
        this.onAlias = onAlias;
    }

    /**
     * Reads a file as text.
     *
     * @throws InvalidPolicy if it is not there, too large or not UTF-8
     */
    static String text(Path file) {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(LONGEST_TEXT + 1);
        } catch (NoSuchFileException e) {
            throw new InvalidPolicy("The policy file " + file + " does not exist", e);
        } catch (IOException e) {
            throw new InvalidPolicy(
                    "The policy file " + file + " cannot be read: " + e.getMessage(), e);
        }
        if (bytes.length > LONGEST_TEXT) {
            throw new InvalidPolicy("The policy file " + file + " is larger than 64 KiB");
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new InvalidPolicy("The policy file " + file + " is not UTF-8 text", e);
        }
    }

    /**
     * Reads the one document of a text.
     *
     * @throws InvalidPolicy naming the place of what is wrong
     */
    static Node read(String text, String source) {
        if (text.length() > LONGEST_TEXT) {
            throw new Place(source, 1, 1).wrong("a policy is at most 64 KiB of text");
        }
        try {
            // JSON is nearly YAML, but for tabs and some escapes; and it needs no YAML classes.
            if (text.stripLeading().startsWith("{")) {
                try (JsonParser json = new JsonFactory().createParser(text)) {
                    return new NodeReader(source, json, () -> false).document();
                } catch (JsonProcessingException e) {
                    return yaml(text, source);
                }
            }
            return yaml(text, source);
        } catch (JsonProcessingException e) {
            throw unreadable(text, source, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Node yaml(String text, String source) throws IOException {
        try (YAMLParser yaml = new YAMLFactory().createParser(text)) {
            return new NodeReader(source, yaml, yaml::isCurrentAlias).document();
        }
    }

    /**
     * Jackson knows where its last token ended; where the text is broken only the YAML reader
     * knows.
     */
    private static InvalidPolicy unreadable(String text, String source, JsonProcessingException e) {
        if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
            Mark mark = marked.getProblemMark();
            String context = marked.getContext() == null ? "" : marked.getContext() + ", ";
            return unreadable(
                    new Place(source, mark.getLine() + 1, mark.getColumn() + 1),
                    context + marked.getProblem());
        }
        if (e.getCause() instanceof ReaderException special) {
            String before = text.substring(0, Math.max(0, text.indexOf(special.getCodePoint())));
            int line = before.lastIndexOf('\n') + 1;
            return unreadable(
                    new Place(
                            source,
                            (int) before.chars().filter(c -> c == '\n').count() + 1,
                            before.codePointCount(line, before.length()) + 1),
                    "it holds the character "
                            + Wording.quote(Character.toString(special.getCodePoint())));
        }
        String problem = GOT_INSTEAD.matcher(e.getOriginalMessage()).replaceFirst("");
        return unreadable(place(source, e.getLocation()), problem);
    }

    private static InvalidPolicy unreadable(Place at, String problem) {
        return at.wrong("not readable as YAML or JSON: " + Wording.line(problem));
    }

    private static Place place(String source, @Nullable JsonLocation location) {
        return location == null
                ? new Place(source, 1, 1)
                : new Place(
                        source,
                        Math.max(1, location.getLineNr()),
                        Math.max(1, location.getColumnNr()));
    }

    private Place here() {
        return place(source, parser.currentTokenLocation());
    }

    private Node document() throws IOException {
        if (parser.nextToken() == null) {
            return new Scalar(new Place(source, 1, 1), Kind.NOTHING, "");
        }
        Node root = node(1);
        if (parser.nextToken() != null) {
            throw here().wrong("a policy is one document, and here a second one starts");
        }
        return root;
    }

    private Node node(int depth) throws IOException {
        Place at = here();
        refuseReferences(at);
        if (depth > DEEPEST) {
            throw at.wrong("nested too deeply for a policy");
        }
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return mapping(at, depth);
        }
        if (token == JsonToken.START_ARRAY) {
            List<Node> items = new ArrayList<>();
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                items.add(node(depth + 1));
            }
            return new Sequence(at, List.copyOf(items));
        }
        Kind kind =
                token.isNumeric()
                        ? Kind.NUMBER
                        : token.isBoolean()
                                ? Kind.BOOLEAN
                                : token == JsonToken.VALUE_NULL ? Kind.NOTHING : Kind.TEXT;
        return new Scalar(at, kind, kind == Kind.NOTHING ? "" : parser.getText());
    }

    private Mapping mapping(Place at, int depth) throws IOException {
        Map<String, Place> seen = new HashMap<>();
        List<Entry> entries = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            Place keyAt = here();
            refuseReferences(keyAt);
            String key = parser.currentName();
            Place first = seen.putIfAbsent(key, keyAt);
            if (first != null) {
                throw keyAt.wrong(
                        "the key "
                                + Wording.quote(key)
                                + " is given twice, first in line "
                                + first.line());
            }
            parser.nextToken();
            entries.add(new Entry(keyAt, key, node(depth + 1)));
        }
        return new Mapping(at, List.copyOf(entries));
    }

    private void refuseReferences(Place at) throws IOException {
        if (onAlias.getAsBoolean() || parser.getObjectId() != null) {
            throw at.wrong(
                    "anchors and aliases (& and *) are not used in policies: write the value out");
        }
        if (parser.getTypeId() != null) {
            throw at.wrong("tags (!) are not used in policies: write the plain value");
        }
    }
}
