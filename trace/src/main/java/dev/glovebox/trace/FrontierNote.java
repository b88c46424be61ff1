package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * Where the log stood when it was last written, so that opening it does not mean reading all of it.
 *
 * <p>Nobody has to believe it: whoever continues from here must come to the root that was signed.
 */
final class FrontierNote {

    private static final HexFormat HEX = HexFormat.of();

    private final Path file;

    FrontierNote(Path file) {
        this.file = file;
    }

    /** What was noted; nothing, if there is no note or it is none. */
    Frontier read() {
        try {
            Members members = Members.read("note", Files.readAllBytes(file));
            List<byte[]> peaks = new ArrayList<>();
            for (JsonNode peak : members.array("peaks")) {
                peaks.add(HEX.parseHex(peak.asText()));
            }
            return Frontier.of(members.natural("size"), peaks);
        } catch (IOException | Malformed | IllegalArgumentException e) {
            return new Frontier();
        }
    }

    void write(Frontier frontier) {
        ObjectNode note = JsonNodeFactory.instance.objectNode();
        ArrayNode peaks = note.putArray("peaks");
        frontier.peaks().forEach(peak -> peaks.add(HEX.formatHex(peak)));
        note.put("size", frontier.size());
        try {
            Path written = Files.createTempFile(file.toAbsolutePath().getParent(), "new-", ".json");
            Files.write(written, CanonicalJson.bytes(note));
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            // Without it the next opening takes longer, and that is all.
        }
    }
}
