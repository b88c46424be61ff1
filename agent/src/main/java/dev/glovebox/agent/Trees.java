package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Objects as trees that are otherwise written straight to documents. */
final class Trees {

    private static final JsonMapper MAPPER = new JsonMapper();

    private Trees() {}

    /** Writes the members of an object. */
    @FunctionalInterface
    interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    static JsonNode of(Members members) {
        try (TokenBuffer buffer = new TokenBuffer(MAPPER, false)) {
            buffer.writeStartObject();
            members.write(buffer);
            buffer.writeEndObject();
            return MAPPER.readTree(buffer.asParser());
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not from memory to memory
        }
    }
}
