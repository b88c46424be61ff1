package dev.glovebox.run;

import dev.glovebox.trace.ByteText;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/**
 * A state as JSON, in the parts that change: the members of its object.
 *
 * <p>A change is {@code {"append":{…},"drop":[…],"set":{…}}}, each part only if there is something
 * in it; a list that only got longer is appended to, so that a conversation in a state costs what
 * is added to it. A state that is no object changes as a whole: {@code {"value":…}}.
 */
final class Snapshot {

    private static final byte[] EMPTY = utf8("{}");
    private static final String APPEND = "\"append\"";
    private static final String DROP = "\"drop\"";
    private static final String SET = "\"set\"";
    private static final String VALUE = "\"value\"";

    private final byte[] json;
    // By name, with its quotes; nothing if it is not an object.
    private final @Nullable SequencedMap<String, Slice> members;

    private Snapshot(byte[] json, @Nullable SequencedMap<String, Slice> members) {
        this.json = json;
        this.members = members;
    }

    /** Takes JSON as this package writes it, without white space. */
    static Snapshot of(byte[] json) {
        return new Snapshot(json, json[0] == '{' ? members(new Slice(json, 0, json.length)) : null);
    }

    byte[] json() {
        return json;
    }

    /** An object of members that are JSON already. */
    static byte[] object(SequencedMap<String, byte[]> members) {
        Members object = new Members('{', '}');
        members.forEach((name, value) -> object.next(label("\"" + name + "\"")).add(value));
        return object.bytes();
    }

    /** A member of an object, as JSON. */
    static Optional<byte[]> member(byte[] object, String name) {
        return Optional.ofNullable(
                        members(new Slice(object, 0, object.length)).get("\"" + name + "\""))
                .map(Slice::bytes);
    }

    /** A change that makes it a value, whatever was before. */
    static byte[] whole(byte[] value) {
        Members change = new Members('{', '}');
        change.next(label(VALUE)).add(value);
        return change.bytes();
    }

    /** The value of such a change. */
    static byte[] value(byte[] delta) {
        return member(delta, "value")
                .orElseThrow(() -> new IllegalArgumentException("A change without a value"));
    }

    /** What makes another one out of this. */
    byte[] to(Snapshot after) {
        if (after == this) {
            return EMPTY;
        }
        if (members == null || after.members == null || !keepsOrder(members, after.members)) {
            return Arrays.equals(json, after.json) ? EMPTY : whole(after.json);
        }
        Change change = new Change();
        for (Map.Entry<String, Slice> member : after.members.entrySet()) {
            Slice now = member.getValue();
            Slice before = members.get(member.getKey());
            if (before != null && now.continues(before)) {
                now.behind(before).into(change.append(label(member.getKey())));
            } else if (!now.equals(before)) {
                now.into(change.set(label(member.getKey())));
            }
        }
        members.keySet().stream()
                .filter(name -> !after.members.containsKey(name))
                .forEach(change::drop);
        return change.json();
    }

    /** The name of a member, which has its quotes, as it stands before the value. */
    private static byte[] label(String name) {
        return utf8(name + ":");
    }

    /** A change that is put together. */
    static final class Change {
        private final Members append = new Members('{', '}');
        private final Members drop = new Members('[', ']');
        private final Members set = new Members('{', '}');

        /**
         * Appends to a member.
         *
         * @param label its name, with quotes and a colon
         * @return where the list is to be written
         */
        ByteText append(byte[] label) {
            return append.next(label);
        }

        /**
         * Makes a member another one.
         *
         * @param label its name, with quotes and a colon
         * @return where the value is to be written
         */
        ByteText set(byte[] label) {
            return set.next(label);
        }

        private void drop(String name) {
            drop.next(utf8(name));
        }

        byte[] json() {
            Members change = new Members('{', '}');
            append.into(change, APPEND);
            drop.into(change, DROP);
            set.into(change, SET);
            return change.bytes();
        }
    }

    /** What stands between two brackets; mostly there is nothing. */
    private static final class Members {
        private final char open;
        private final char close;
        private @Nullable ByteText text;

        Members(char open, char close) {
            this.open = open;
            this.close = close;
        }

        /** Begins the next one, with these bytes. */
        ByteText next(byte[] beginning) {
            ByteText known = text;
            if (known == null) {
                known = new ByteText();
                known.add(open);
                text = known;
            } else {
                known.add(',');
            }
            known.add(beginning);
            return known;
        }

        /** Puts it into another one, unless there is nothing. */
        void into(Members outer, String name) {
            if (text != null) {
                ByteText out = outer.next(label(name));
                out.add(text);
                out.add(close);
            }
        }

        byte[] bytes() {
            if (text == null) {
                return new byte[] {(byte) open, (byte) close};
            }
            text.add(close);
            return text.bytes();
        }
    }

    /** Whether what stays has its order, and what is new comes behind it. */
    private static boolean keepsOrder(Map<String, Slice> before, Map<String, Slice> after) {
        List<String> expected = new ArrayList<>(before.keySet());
        expected.retainAll(after.keySet());
        return List.copyOf(after.keySet()).subList(0, expected.size()).equals(expected);
    }

    /** Makes the change. */
    Snapshot apply(byte[] delta) {
        SequencedMap<String, Slice> change = members(new Slice(delta, 0, delta.length));
        Slice whole = change.get(VALUE);
        if (whole != null || members == null) {
            return whole == null ? this : of(whole.bytes());
        }
        SequencedMap<String, Slice> next = new LinkedHashMap<>(members);
        parts(change, APPEND).forEach((name, more) -> next.merge(name, more, Slice::plus));
        parts(change, SET).forEach(next::put);
        Slice drop = change.get(DROP);
        if (drop != null) {
            next.keySet().removeAll(elements(drop).keySet());
        }
        Members object = new Members('{', '}');
        next.forEach((name, value) -> value.into(object.next(label(name))));
        return of(object.bytes());
    }

    private static SequencedMap<String, Slice> parts(Map<String, Slice> change, String part) {
        Slice members = change.get(part);
        return members == null ? new LinkedHashMap<>() : members(members);
    }

    /** The members of an object, in their order. */
    private static SequencedMap<String, Slice> members(Slice object) {
        SequencedMap<String, Slice> found = new LinkedHashMap<>();
        int at = object.from() + 1;
        while (object.json()[at] != '}') {
            int colon = end(object.json(), at);
            int to = end(object.json(), colon + 1);
            found.put(
                    new String(object.json(), at, colon - at, StandardCharsets.UTF_8),
                    new Slice(object.json(), colon + 1, to));
            at = object.json()[to] == ',' ? to + 1 : to;
        }
        return found;
    }

    private static SequencedMap<String, Slice> elements(Slice array) {
        SequencedMap<String, Slice> found = new LinkedHashMap<>();
        int at = array.from() + 1;
        while (array.json()[at] != ']') {
            int to = end(array.json(), at);
            Slice element = new Slice(array.json(), at, to);
            found.put(new String(element.bytes(), StandardCharsets.UTF_8), element);
            at = array.json()[to] == ',' ? to + 1 : to;
        }
        return found;
    }

    /** Where the value ends that begins here. */
    private static int end(byte[] json, int from) {
        int depth = 0;
        for (int at = from; ; at++) {
            switch (json[at]) {
                case '"' -> {
                    at = quote(json, at);
                    if (depth == 0) {
                        return at + 1;
                    }
                }
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (depth == 0) {
                        return at;
                    }
                    if (--depth == 0) {
                        return at + 1;
                    }
                }
                case ',', ':' -> {
                    if (depth == 0) {
                        return at;
                    }
                }
                default -> {}
            }
        }
    }

    /** The quote at the end of a text. */
    private static int quote(byte[] json, int from) {
        int at = from + 1;
        while (json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        return at;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Some of the bytes. */
    private record Slice(byte[] json, int from, int to) {

        int length() {
            return to - from;
        }

        byte[] bytes() {
            return Arrays.copyOfRange(json, from, to);
        }

        void into(ByteText out) {
            out.add(json, from, length());
        }

        /** Whether this is a list that has all the elements of another one, and then some. */
        boolean continues(Slice before) {
            int common = before.length() - 1;
            return json[from] == '['
                    && before.json[before.from] == '['
                    && length() > before.length()
                    && (common == 1 || json[from + common] == ',')
                    && Arrays.equals(
                            json,
                            from,
                            from + common,
                            before.json,
                            before.from,
                            before.from + common);
        }

        /** The list of what it has more. */
        Slice behind(Slice before) {
            int common = before.length() - 1;
            byte[] more = Arrays.copyOfRange(json, from + common, to);
            if (common == 1) {
                return this;
            }
            more[0] = '[';
            return new Slice(more, 0, more.length);
        }

        /** Both lists in one. */
        Slice plus(Slice more) {
            if (length() == 2) {
                return more;
            }
            ByteText text = new ByteText();
            text.add(json, from, length() - 1);
            text.add(',');
            text.add(more.json, more.from + 1, more.length() - 1);
            byte[] both = text.bytes();
            return new Slice(both, 0, both.length);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Slice slice
                    && Arrays.equals(json, from, to, slice.json, slice.from, slice.to);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes());
        }
    }
}
