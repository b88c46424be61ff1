package dev.glovebox.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.glovebox.trace.Appended;
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

    private static final Object NOBODY = new Object();

    private final Journal journal;
    private final Map<String, Kept> lanes = new ConcurrentHashMap<>();
    private final Map<String, BlobRef> folded = new ConcurrentHashMap<>();
    private final Map<String, Rest> rests = new ConcurrentHashMap<>();

    Lanes(Journal journal) {
        this.journal = journal;
    }

    /**
     * A list, with what its elements say.
     *
     * @param values the list as it was given
     * @param elements those that cannot change, and so still say it
     * @param holds whether all of them are so
     */
    private record Kept(
            KeptList list,
            List<?> values,
            List<byte[]> contents,
            List<Optional<Object>> elements,
            boolean holds) {

        /** How many values are certainly the first ones of a list. */
        int beginningOf(List<?> longer) {
            return holds && longer instanceof Appended<?> grown && grown.continues(values)
                    ? values.size()
                    : 0;
        }

        @SuppressWarnings("ReferenceEquality")
        boolean has(int i, Object element) {
            return i < elements.size() && elements.get(i).orElse(NOBODY) == element;
        }
    }

    /**
     * Arguments without their lists.
     *
     * @param kept where they are, if that is known
     */
    record Rest(Growing arguments, byte[] json, Optional<BlobRef> kept) {}

    /** The lane of a node for one member of the arguments of what it does. */
    static String lane(String path, String kind, String member) {
        int visit = path.indexOf('#');
        String place =
                path.indexOf('/', visit) < 0
                        ? path.substring(0, visit)
                        : VISITS.matcher(path).replaceAll("");
        return place + " " + kind + " " + member;
    }

    /** The list that a node that is not run again has used last. */
    void fold(String lane, BlobRef list) {
        lanes.remove(lane);
        folded.put(lane, list);
    }

    /** Arguments without their lists, as JSON; the same as the last ones, where they are. */
    Rest rest(String lane, Growing arguments) {
        Rest last = rests.get(lane);
        return last != null && arguments.hasRestOf(last.arguments())
                ? last
                : new Rest(arguments.withoutLists(), arguments.json(), Optional.empty());
    }

    /** Remembers where they are. */
    void kept(String lane, Rest rest, BlobRef kept) {
        if (rest.kept().isEmpty()) {
            rests.put(lane, new Rest(rest.arguments(), rest.json(), Optional.of(kept)));
        }
    }

    /**
     * Keeps the next list of a lane.
     *
     * @param recorded the list on the tape in its place
     */
    BlobRef keep(String lane, List<?> values, Optional<BlobRef> recorded, boolean secret) {
        BlobRef last = folded.remove(lane);
        Optional<Kept> base =
                last == null ? Optional.ofNullable(lanes.get(lane)) : Optional.of(read(last));
        Optional<Kept> taped = secret ? recorded.map(this::read) : Optional.empty();
        int from = base.map(before -> before.beginningOf(values)).orElse(0);
        List<JsonNode> kept = new ArrayList<>();
        List<byte[]> contents = new ArrayList<>();
        List<Optional<Object>> elements = new ArrayList<>();
        boolean holds = true;
        for (int i = from; i < values.size(); i++) {
            Object value = values.get(i);
            if (base.isPresent() && base.get().has(i, value)) {
                contents.add(base.get().contents().get(i));
                kept.add(base.get().list().elements().get(i));
                elements.add(base.get().elements().get(i));
            } else {
                byte[] exact = Shape.of(value.getClass()).json(value);
                byte[] content = exact == null ? Json.bytes(value) : exact;
                contents.add(content);
                kept.add(element(i, content, base, taped, secret));
                elements.add(exact == null ? Optional.empty() : Optional.of(value));
            }
            holds &= elements.getLast().isPresent();
        }
        Optional<Kept> beginning = base.filter(before -> from > 0);
        KeptList list =
                journal.keepList(
                        base.map(Kept::list).orElse(KeptList.EMPTY),
                        behind(beginning.map(before -> before.list().elements()), kept));
        lanes.put(
                lane,
                new Kept(
                        list,
                        values,
                        behind(beginning.map(before -> before.contents()), contents),
                        behind(beginning.map(before -> before.elements()), elements),
                        holds));
        return list.reference();
    }

    private static <T> Appended<T> behind(Optional<List<T>> beginning, List<T> more) {
        return Appended.<T>copyOf(beginning.orElse(List.of())).plus(more);
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
        List<byte[]> contents = list.elements().stream().map(this::content).toList();
        return new Kept(list, List.of(), contents, List.of(), false);
    }

    private byte[] content(JsonNode element) {
        return element.isTextual()
                ? element.textValue().getBytes(StandardCharsets.UTF_8)
                : journal.content(BlobRef.of(element));
    }
}
