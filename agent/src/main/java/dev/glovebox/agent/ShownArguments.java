package dev.glovebox.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The arguments of a call for a person who is asked for it: on one line, like JSON.
 *
 * <p>A model chooses how long its arguments are, and in which order they come. If only the
 * beginning were shown, a long note would hide to whom the money goes. So each argument is shown,
 * also those within others, the shortest first: what the short ones leave is for the long ones. Of
 * what is too long the beginning and the end are shown, and how much is not. That is said outside
 * of quotes, where no argument can say it.
 */
final class ShownArguments {

    private static final int MOST_CHARACTERS = 4_000;
    private static final int FEWEST_CHARACTERS = 40;
    private static final int LONGEST_NAME = 100;

    // To say that less than this is not shown takes as long as to show it.
    private static final int SHORTEST_GAP = 40;

    private final StringBuilder line = new StringBuilder();

    private ShownArguments() {}

    /** A value within another one; in a list it has no name. */
    private record Part(Optional<String> name, JsonNode value) {

        int length() {
            return name.orElse("").length() + value.toString().length();
        }
    }

    /** What is shown; empty if there are more arguments than anybody looks at. */
    static Optional<String> of(JsonNode arguments) {
        if (arguments.size() > MOST_CHARACTERS / FEWEST_CHARACTERS) {
            return Optional.empty();
        }
        ShownArguments shown = new ShownArguments();
        shown.value(arguments, MOST_CHARACTERS);
        return Optional.of(shown.line.toString());
    }

    private void value(JsonNode value, int room) {
        if (value.isObject()) {
            line.append('{');
            parts(
                    value.propertyStream()
                            .map(one -> new Part(Optional.of(one.getKey()), one.getValue()))
                            .sorted(Comparator.comparingInt(Part::length))
                            .toList(),
                    room);
            line.append('}');
        } else if (value.isArray()) {
            line.append('[');
            parts(value.valueStream().map(one -> new Part(Optional.empty(), one)).toList(), room);
            line.append(']');
        } else if (value.isTextual()) {
            text(value.textValue(), room);
        } else {
            line.append(PlainNumbers.json(value));
        }
    }

    private void parts(List<Part> parts, int room) {
        int end = line.length() + room;
        int sure = Math.min(parts.size(), Math.max(1, room / FEWEST_CHARACTERS));
        for (int i = 0; i < parts.size(); i++) {
            int left = end - line.length();
            if (i >= sure && left < FEWEST_CHARACTERS) {
                line.append("[… %d more are not shown …]".formatted(parts.size() - i));
                return;
            }
            line.append(i == 0 ? "" : ",");
            parts.get(i)
                    .name()
                    .ifPresent(name -> {
                        text(name, LONGEST_NAME);
                        line.append(':');
                    });
            int share = left / Math.max(1, sure - i);
            value(parts.get(i).value(), Math.max(share, FEWEST_CHARACTERS));
        }
    }

    private void text(String text, int room) {
        if (text.length() <= room + SHORTEST_GAP) {
            line.append(quoted(text));
            return;
        }
        int head = between(text, room - room / 4);
        int tail = between(text, text.length() - room / 4);
        line.append(quoted(text.substring(0, head)))
                .append("[… %d characters are not shown …]".formatted(tail - head))
                .append(quoted(text.substring(tail)));
    }

    /** A place where no character is cut in two. */
    private static int between(String text, int place) {
        return Character.isSurrogatePair(text.charAt(place - 1), text.charAt(place))
                ? place - 1
                : place;
    }

    private static String quoted(String text) {
        return Excerpt.line(TextNode.valueOf(text).toString(), Integer.MAX_VALUE);
    }
}
