package dev.glovebox.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Arguments with lists that grow from one effect to the next, and the rest, which mostly stays the
 * same: see {@link Effect#growing}.
 */
final class Growing {

    private final RecordShape shape;
    private final @Nullable Object[] rest;
    private final SortedMap<String, List<?>> lists;

    private Growing(RecordShape shape, @Nullable Object[] rest, SortedMap<String, List<?>> lists) {
        this.shape = shape;
        this.rest = rest;
        this.lists = lists;
    }

    /**
     * Takes them apart.
     *
     * @throws IllegalArgumentException if they are no record
     */
    static Growing of(Object arguments, Set<String> growing) {
        if (!(Shape.of(arguments.getClass()) instanceof RecordShape shape)) {
            throw new IllegalArgumentException(
                    "Arguments with lists that grow must be a record that is written as it is: "
                            + arguments.getClass().getName());
        }
        List<RecordShape.Part> parts = shape.parts();
        @Nullable Object[] rest = new Object[parts.size()];
        SortedMap<String, List<?>> lists = new TreeMap<>();
        for (int i = 0; i < rest.length; i++) {
            Object value = parts.get(i).of(arguments);
            if (growing.contains(parts.get(i).name()) && value instanceof List<?> list) {
                lists.put(parts.get(i).name(), list);
            } else {
                rest[i] = value;
            }
        }
        return new Growing(shape, rest, lists);
    }

    /** The lists, by name. */
    SortedMap<String, List<?>> lists() {
        return lists;
    }

    /** Whether all but the lists is the very same; it must not have been changed since. */
    @SuppressWarnings("ReferenceEquality")
    boolean hasRestOf(Growing other) {
        if (shape != other.shape) {
            return false;
        }
        for (int i = 0; i < rest.length; i++) {
            if (rest[i] != other.rest[i] && !(isNumber(rest[i]) && rest[i].equals(other.rest[i]))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNumber(@Nullable Object value) {
        return value instanceof Number;
    }

    /** So that nobody has to keep long lists to compare the rest. */
    Growing withoutLists() {
        return new Growing(shape, rest, new TreeMap<>());
    }

    /** All but the lists. */
    byte[] json() {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (int i = 0; i < rest.length; i++) {
            String name = shape.parts().get(i).name();
            if (!lists.containsKey(name)) {
                object.set(name, Json.tree(shape.parts().get(i).json(rest[i])));
            }
        }
        return Json.sorted(object);
    }
}
