package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.KeptList;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The lists that grow from one effect of a node to the next, such as the messages to a model: each
 * is kept by what it has more than the one before it, whichever visit of the node that was in.
 *
 * <p>Branches have lanes of their own, so the list before does not depend on who was quicker.
 */
final class Lanes {

    // Longer elements are kept by themselves: what is added to a list has a limit.
    private static final int LONGEST = 16 << 10;

    // Of the nodes behind the last branch: these come one after the other.
    private static final Pattern VISITS = Pattern.compile("#\\d+(?=(/[^/#]+#\\d+)*$)");

    private final Journal journal;
    private final Map<String, Kept> lanes = new ConcurrentHashMap<>();
    private final Map<String, BlobRef> folded = new ConcurrentHashMap<>();

    Lanes(Journal journal) {
        this.journal = journal;
    }

    /** A list, with what its elements say. */
    private record Kept(KeptList list, List<byte[]> contents) {}

    /** The lane of a node for one member of the arguments of what it does. */
    static String lane(String path, String kind, String member) {
        return VISITS.matcher(path).replaceAll("") + " " + kind + " " + member;
    }

    /** The list that a node that is not run again has used last. */
    void fold(String lane, BlobRef list) {
        lanes.remove(lane);
        folded.put(lane, list);
    }

    /**
     * Keeps the next list of a lane.
     *
     * @param recorded the list on the tape in its place
     */
    BlobRef keep(String lane, List<byte[]> contents, Optional<BlobRef> recorded, boolean secret) {
        BlobRef last = folded.remove(lane);
        Optional<Kept> base =
                last == null ? Optional.ofNullable(lanes.get(lane)) : Optional.of(read(last));
        Optional<Kept> taped = secret ? recorded.map(this::read) : Optional.empty();
        List<JsonNode> elements = new ArrayList<>();
        for (int i = 0; i < contents.size(); i++) {
            elements.add(element(i, contents.get(i), base, taped, secret));
        }
        KeptList list = journal.keepList(base.map(Kept::list), elements);
        lanes.put(lane, new Kept(list, contents));
        return list.reference();
    }

    private JsonNode element(
            int i, byte[] content, Optional<Kept> base, Optional<Kept> taped, boolean secret) {
        if (!secret) {
            return content.length > LONGEST
                    ? journal.keep(content, false).json()
                    : TextNode.valueOf(new String(content, StandardCharsets.UTF_8));
        }
        // A private element that was kept before keeps its salt.
        return base.or(() -> taped)
                .filter(kept -> has(kept, i, content))
                .or(() -> taped.filter(kept -> has(kept, i, content)))
                .map(kept -> kept.list().elements().get(i))
                .orElseGet(() -> journal.keep(content, true).json());
    }

    private static boolean has(Kept kept, int i, byte[] content) {
        return i < kept.contents().size() && Arrays.equals(kept.contents().get(i), content);
    }

    private Kept read(BlobRef reference) {
        KeptList list = journal.keptList(reference);
        return new Kept(list, list.elements().stream().map(this::content).toList());
    }

    private byte[] content(JsonNode element) {
        return element.isTextual()
                ? element.textValue().getBytes(StandardCharsets.UTF_8)
                : journal.content(BlobRef.of(element));
    }
}
