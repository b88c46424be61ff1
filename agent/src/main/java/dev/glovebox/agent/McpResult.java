package dev.glovebox.agent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a server gave back, as text for a model: what is none is described. */
final class McpResult {

    private static final JsonMapper JSON = new JsonMapper();
    private static final int MOST_WORDS = 200;

    private McpResult() {}

    static ToolOutput output(CallToolResult result) {
        List<String> parts = new ArrayList<>();
        for (@Nullable Content content : result.content()) {
            parts.add(text(content));
        }
        if (result.structuredContent() != null) {
            JsonNode structured = JSON.valueToTree(result.structuredContent());
            // Servers should give it as text as well, for clients that do not know of it.
            if (parts.stream().noneMatch(part -> isSame(part, structured))) {
                parts.add(structured.toString());
            }
        }
        String text = String.join("\n", parts);
        return new ToolOutput(text, Boolean.TRUE.equals(result.isError()), Optional.empty());
    }

    private static boolean isSame(String text, JsonNode structured) {
        if (structured.size() == 1 && text.equals(structured.iterator().next().textValue())) {
            return true; // only wrapped
        }
        if (!text.startsWith("{")) {
            return false;
        }
        try {
            return structured.equals(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    private static String text(@Nullable Content content) {
        return switch (content) {
            case null -> "[nothing]";
            case TextContent text -> text.text();
            case ImageContent image -> encoded("image", image.mimeType(), image.data());
            case AudioContent audio -> encoded("audio", audio.mimeType(), audio.data());
            case EmbeddedResource embedded -> resource(embedded);
            case ResourceLink link ->
                    "[a link to the resource %s (%s), type %s]"
                            .formatted(
                                    words(link.uri()), words(link.name()), words(link.mimeType()));
            default -> "[something of a kind that is not known]";
        };
    }

    private static String resource(EmbeddedResource embedded) {
        return switch (embedded.resource()) {
            case TextResourceContents text ->
                    "[the resource %s, type %s]\n%s"
                            .formatted(words(text.uri()), words(text.mimeType()), text.text());
            case BlobResourceContents blob ->
                    encoded("resource " + words(blob.uri()), blob.mimeType(), blob.blob());
            default -> "[a resource of a kind that is not known]";
        };
    }

    private static String encoded(String what, @Nullable String type, String base64) {
        return "[%s, type %s, about %d bytes, not shown]"
                .formatted(what, words(type), base64.length() * 3L / 4);
    }

    private static String words(@Nullable String given) {
        return given == null ? "unknown" : Excerpt.seen(given, MOST_WORDS);
    }
}
