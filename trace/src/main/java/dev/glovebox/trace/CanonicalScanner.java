package dev.glovebox.trace;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Walks through bytes and refuses them unless they are canonical JSON as traces use it.
 *
 * <p>Nothing is built, so the walk costs no memory, whatever the bytes are. What has passed it can
 * be given to any parser: no name is there twice, nothing is deeply nested, and no number is one
 * that parsers disagree about.
 */
final class CanonicalScanner {

    /** The largest integer below which every double is exact: 2^53 - 1. */
    static final long LARGEST_INTEGER = (1L << 53) - 1;

    private static final int DEEPEST = 32;
    private static final int LARGEST_DIGITS = 16;
    private static final byte[] BLOB = "\"blob\"".getBytes(StandardCharsets.US_ASCII);

    // No table of names, which hostile ones could fill or slow down; and names as long as a line.
    private static final JsonMapper MAPPER =
            new JsonMapper(
                    JsonFactory.builder()
                            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                            // The default keeps buffers for each thread: there may be very many.
                            .recyclerPool(Buffers.SHARED)
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNameLength(ListBlob.LONGEST)
                                            .maxStringLength(ListBlob.LONGEST)
                                            .build())
                            .build());

    private final byte[] text;
    private final int end;
    private int at;
    private boolean references;

    CanonicalScanner(byte[] text) {
        this(text, 0, text.length);
    }

    CanonicalScanner(byte[] text, int from, int to) {
        this.text = text;
        this.at = from;
        this.end = to;
    }

    /** Parses one value that fills the bytes. */
    static JsonNode read(byte[] text) {
        CanonicalScanner scanner = new CanonicalScanner(text);
        scanner.value();
        scanner.end();
        return parse(text, 0, text.length);
    }

    /** Parses what was scanned before. */
    static JsonNode parse(byte[] text, int from, int to) {
        try {
            return MAPPER.readTree(text, from, to - from);
        } catch (JsonProcessingException e) {
            throw new Malformed("Not JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int at() {
        return at;
    }

    /** Refuses anything behind the value. */
    void end() {
        if (at != end) {
            throw broken("more behind the end");
        }
    }

    /** Whether a member {@code blob} was among what was walked over. */
    boolean sawReferences() {
        return references;
    }

    /** Takes bytes that must stand here. */
    void expect(byte[] expected) {
        if (!took(expected)) {
            throw broken("not '" + new String(expected, StandardCharsets.UTF_8) + "'");
        }
    }

    /** Whether these bytes come next; if so, they are taken. */
    boolean took(byte[] expected) {
        int to = Math.min(end, at + expected.length);
        boolean there = Arrays.equals(text, at, to, expected, 0, expected.length);
        if (there) {
            at = to;
        }
        return there;
    }

    /** Goes back to where it was. */
    void back(int where) {
        at = where;
    }

    boolean next(char expected) {
        return at < end && text[at] == expected;
    }

    /** Takes bytes that were looked at already. */
    void skip(int count) {
        at += count;
    }

    /** Whether this byte comes next; if so, it is taken. */
    boolean took(char expected) {
        boolean there = at < end && text[at] == expected;
        if (there) {
            at++;
        }
        return there;
    }

    /** Walks over a value of any kind. */
    void value() {
        value(1);
    }

    /** Walks over a value that, were it an object, would be nested so deep. */
    void value(int depth) {
        if (at >= end) {
            throw broken("cut off");
        }
        switch (text[at]) {
            case '{' -> object(depth);
            case '[' -> array(depth);
            case '"' -> string();
            case 't' -> word("true");
            case 'f' -> word("false");
            case 'n' -> word("null");
            default -> integer();
        }
    }

    private void word(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (!took(word.charAt(i))) {
                throw broken("not a value");
            }
        }
    }

    /** Walks over an array; how many elements it has. */
    int array(int depth) {
        if (!next('[')) {
            throw broken("not an array");
        }
        open(depth);
        if (took(']')) {
            return 0;
        }
        int count = 0;
        do {
            value(depth + 1);
            count++;
        } while (took(','));
        if (!took(']')) {
            throw broken("an array that does not end");
        }
        return count;
    }

    private void open(int depth) {
        if (depth > DEEPEST) {
            throw broken("nested deeper than " + DEEPEST);
        }
        at++;
    }

    private void object(int depth) {
        open(depth);
        if (took('}')) {
            return;
        }
        int lastFrom = -1;
        int lastTo = -1;
        boolean lastPlain = true;
        do {
            int from = at;
            boolean plain = string();
            int to = at;
            if (lastFrom >= 0 && !ordered(lastFrom, lastTo, from, to, plain && lastPlain)) {
                throw broken("a name that is out of order or there twice");
            }
            lastFrom = from;
            lastTo = to;
            lastPlain = plain;
            references |=
                    to - from == BLOB.length && Arrays.equals(text, from, to, BLOB, 0, BLOB.length);
            if (!took(':')) {
                throw broken("a name without a value");
            }
            value(depth + 1);
        } while (took(','));
        if (!took('}')) {
            throw broken("an object that does not end");
        }
    }

    /** Compares two names, with their quotes, by UTF-16 code units. */
    private boolean ordered(int from, int to, int nextFrom, int nextTo, boolean plain) {
        if (plain) {
            return Arrays.compare(text, from + 1, to - 1, text, nextFrom + 1, nextTo - 1) < 0;
        }
        String name = parse(text, from, to).textValue();
        return name.compareTo(parse(text, nextFrom, nextTo).textValue()) < 0;
    }

    /** Walks over a string; whether its bytes are its characters. */
    boolean string() {
        if (!took('"')) {
            throw broken("not a string");
        }
        boolean plain = true;
        while (at < end) {
            byte b = text[at];
            if (b == '"') {
                at++;
                return plain;
            }
            if (b == '\\') {
                plain = false;
                escape();
            } else if (b < 0) {
                plain = false;
                beyondAscii();
            } else if (b < ' ') {
                throw broken("a control character that is not escaped");
            } else {
                at++;
            }
        }
        throw broken("a string that does not end");
    }

    private void escape() {
        at++;
        byte b = at < end ? text[at] : 0;
        switch (b) {
            case '"', '\\', 'b', 'f', 'n', 'r', 't' -> at++;
            case 'u' -> {
                at++;
                int code = hexDigits();
                // Anything else has a shorter form.
                if (code >= ' ' || "\b\f\n\r\t".indexOf(code) >= 0) {
                    throw broken("an escape that is not needed");
                }
            }
            default -> throw broken("an unknown escape");
        }
    }

    private int hexDigits() {
        int code = 0;
        for (int i = 0; i < 4; i++, at++) {
            byte b = at < end ? text[at] : 0;
            int digit = Digests.digit(b);
            if (digit < 0) {
                throw broken("an escape without four lower-case hex digits");
            }
            code = code << 4 | digit;
        }
        return code;
    }

    /** One character of two to four bytes; no longer form than needed, and no surrogates. */
    private void beyondAscii() {
        int first = text[at] & 0xff;
        int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
        if (first < 0xc2 || first > 0xf4 || end - at <= more) {
            throw broken("bytes that are not UTF-8");
        }
        int code = first & 0x3f >> more;
        for (int i = 1; i <= more; i++) {
            int next = text[at + i] & 0xff;
            if ((next & 0xc0) != 0x80) {
                throw broken("bytes that are not UTF-8");
            }
            code = code << 6 | (next & 0x3f);
        }
        boolean tooLong = (more == 2 && code < 0x800) || (more == 3 && code < 0x10000);
        if (tooLong || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
            throw broken("bytes that are not UTF-8");
        }
        at += more + 1;
    }

    /** Takes an integer. */
    long integer() {
        boolean negative = took('-');
        int from = at;
        long number = 0;
        while (at < end && text[at] >= '0' && text[at] <= '9' && at - from <= LARGEST_DIGITS) {
            number = number * 10 + (text[at] - '0');
            at++;
        }
        int digits = at - from;
        if (digits == 0) {
            throw broken("not a value");
        }
        boolean odd = text[from] == '0' && (digits > 1 || negative);
        if (odd || digits > LARGEST_DIGITS || number > LARGEST_INTEGER) {
            throw broken("a number that is not an integer below 2^53 in its shortest form");
        }
        if (at < end && (text[at] == '.' || text[at] == 'e' || text[at] == 'E')) {
            throw broken("a number that is not an integer");
        }
        return negative ? -number : number;
    }

    Malformed broken(String what) {
        return new Malformed("Not canonical at byte " + at + ": " + what);
    }
}
