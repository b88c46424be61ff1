package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;

/**
 * The parts of calls in the stream of a server that speaks like OpenAI.
 *
 * <p>Not all do it in the same way: some give all calls one number, and some say the id and the
 * name of a call with each of its parts. The client would put the one and the other together.
 */
final class CallParts {

    private static final String ID = "id";
    private static final String NAME = "name";
    private static final String INDEX = "index";

    private final Map<Integer, Call> open = new HashMap<>(); // by the number that the server gives
    private int calls;

    private record Call(int number, String id, String name) {}

    /** Makes them those that the client understands. */
    void sort(JsonNode parts) {
        for (JsonNode part : parts) {
            // Without a number the client goes by the id.
            if (part instanceof ObjectNode call && call.path(INDEX).isInt()) {
                sort(call);
            }
        }
    }

    private void sort(ObjectNode part) {
        String id = part.path(ID).asText("");
        String name = part.path("function").path(NAME).asText("");
        int given = part.path(INDEX).intValue();
        Call call = open.get(given);
        if (call == null || isAnother(call, id, name)) {
            call = new Call(calls++, id, name);
            open.put(given, call);
        } else if (!id.isEmpty() && id.equals(call.id())) {
            part.remove(ID);
            if (name.equals(call.name()) && part.path("function") instanceof ObjectNode function) {
                function.remove(NAME);
            }
        }
        part.put(INDEX, call.number());
    }

    /** An id can come in pieces, but not with the name each time. */
    private static boolean isAnother(Call call, String id, String name) {
        return !id.isEmpty() && !name.isEmpty() && !call.id().isEmpty() && !id.equals(call.id());
    }
}
