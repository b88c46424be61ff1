package dev.glovebox.sandbox.internal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The first line and the fields of an HTTP/1 message.
 *
 * <p>The attack: a message that we read in one way and the other side in another, so that a part of
 * it which nobody checked becomes a request of its own. So there is one way only: lines end with CR
 * LF, names are tokens, nothing is folded, nothing is odd. What is passed on is written anew.
 */
record HttpHead(String first, List<Field> fields) {

    /** More than any client or server sends; more is refused. */
    static final int MOST_BYTES = 64 * 1024;

    /** So is this: short fields would take twenty times their bytes of our memory. */
    static final int MOST_FIELDS = 256;

    private static final Pattern FIELD =
            Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*([\\t\\x20-\\x7e\\x80-\\xff]*)");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    /** What is said to the next machine only (RFC 9110, 7.6.1); the length is written anew. */
    private static final Set<String> NOT_PASSED_ON =
            Set.of(
                    "connection",
                    "proxy-connection",
                    "proxy-authorization",
                    "proxy-authenticate",
                    "keep-alive",
                    "te",
                    "trailer",
                    "upgrade",
                    "transfer-encoding",
                    "content-length");

    record Field(String name, String value) {

        boolean named(String lowerCase) {
            return name.toLowerCase(Locale.ROOT).equals(lowerCase);
        }
    }

    /**
     * Reads up to the empty line.
     *
     * @return empty if nothing came at all
     * @throws Refused if it is not well-formed, or too long
     */
    static Optional<HttpHead> read(InputStream in) throws IOException, Refused {
        List<String> lines = new ArrayList<>();
        int left = MOST_BYTES;
        while (true) {
            Optional<String> line = line(in, left);
            if (line.isEmpty()) {
                if (lines.isEmpty()) {
                    return Optional.empty();
                }
                throw Refused.unclear("it ends in the middle of its fields");
            }
            if (line.get().isEmpty()) {
                break;
            }
            left -= line.get().length() + 2;
            if (lines.size() > MOST_FIELDS) {
                throw Refused.unclear("it has more than " + MOST_FIELDS + " fields");
            }
            lines.add(line.get());
        }
        if (lines.isEmpty()) {
            throw Refused.unclear("it begins with an empty line");
        }
        List<Field> fields = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Matcher matcher = FIELD.matcher(line);
            if (!matcher.matches()) {
                throw Refused.unclear("one of its fields is not well-formed");
            }
            fields.add(new Field(matcher.group(1), matcher.group(2).strip()));
        }
        return Optional.of(new HttpHead(lines.getFirst(), List.copyOf(fields)));
    }

    /** One line without its end; empty at the end of the stream. */
    static Optional<String> line(InputStream in, int most) throws IOException, Refused {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        while (true) {
            int next = in.read();
            if (next < 0 && line.size() == 0) {
                return Optional.empty();
            }
            if (next == '\r') {
                if (in.read() != '\n') {
                    throw Refused.unclear("a line of it does not end with CR LF");
                }
                return Optional.of(line.toString(StandardCharsets.ISO_8859_1));
            }
            if (next < 0 || next == '\n' || next == 0) {
                throw Refused.unclear("a line of it does not end with CR LF");
            }
            if (line.size() >= most) {
                throw Refused.unclear("its fields are longer than " + MOST_BYTES + " bytes");
            }
            line.write(next);
        }
    }

    Stream<String> values(String lowerCase) {
        return fields.stream().filter(field -> field.named(lowerCase)).map(Field::value);
    }

    /**
     * How long the body is.
     *
     * @throws Refused if that is said twice, or in two ways
     */
    HttpBody body() throws Refused {
        List<String> lengths = values("content-length").toList();
        List<String> codings = values("transfer-encoding").toList();
        if (lengths.size() + codings.size() > 1) {
            throw Refused.unclear("the length of its body is said more than once");
        }
        if (!codings.isEmpty()) {
            if (!codings.getFirst().equalsIgnoreCase("chunked") || !first.contains("HTTP/1.1")) {
                throw Refused.unclear("the length of its body cannot be told");
            }
            return new HttpBody.Chunked();
        }
        if (lengths.isEmpty()) {
            return new HttpBody.Unsaid();
        }
        if (!LENGTH.matcher(lengths.getFirst()).matches()) {
            throw Refused.unclear("the length of its body is no number");
        }
        return new HttpBody.Sized(Long.parseLong(lengths.getFirst()));
    }

    /** The same without what is not for the other side, with another first line and more fields. */
    HttpHead passedOn(String newFirst, Set<String> without, Field... more) {
        Set<String> dropped =
                Stream.of(NOT_PASSED_ON, named(), without)
                        .flatMap(Set::stream)
                        .collect(Collectors.toSet());
        List<Field> kept =
                new ArrayList<>(
                        fields.stream()
                                .filter(field ->
                                        !dropped.contains(field.name.toLowerCase(Locale.ROOT)))
                                .toList());
        kept.addAll(Arrays.asList(more));
        return new HttpHead(newFirst, kept);
    }

    /** What the field Connection names is for the next machine only as well. */
    private Set<String> named() {
        return values("connection")
                .flatMap(value -> Arrays.stream(value.split(",")))
                .map(name -> name.strip().toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    byte[] bytes() {
        StringBuilder text = new StringBuilder(first).append("\r\n");
        fields.forEach(
                field -> text.append(field.name).append(": ").append(field.value).append("\r\n"));
        return text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
