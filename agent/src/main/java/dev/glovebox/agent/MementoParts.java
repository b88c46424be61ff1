package dev.glovebox.agent;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The texts of a memento as bytes, for a column of a table. */
final class MementoParts {

    private static final JsonMapper MAPPER = new JsonMapper();

    private MementoParts() {}

    static byte[] bytes(List<String> parts) {
        List<String> clean =
                parts.stream()
                        .map(part -> part.getBytes(StandardCharsets.UTF_8))
                        .map(part -> new String(part, StandardCharsets.UTF_8))
                        .toList();
        try {
            return MAPPER.writeValueAsBytes(clean);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not of texts in memory
        }
    }

    static List<String> read(byte[] bytes) {
        try {
            return List.of(MAPPER.readValue(bytes, String[].class));
        } catch (IOException e) {
            throw new UncheckedIOException("A memory was changed by something else", e);
        }
    }
}
