package dev.glovebox.trace;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** A list that was kept, with its elements, so that the next one can be kept by its difference. */
public record KeptList(BlobRef reference, List<JsonNode> elements) {}
