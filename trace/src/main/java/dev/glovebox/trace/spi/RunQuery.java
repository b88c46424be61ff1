package dev.glovebox.trace.spi;

import java.util.List;
import java.util.Optional;

/**
 * Which runs to list, newest first.
 *
 * @param kind only of this kind
 * @param stop only those that ended so; the empty text: only those that are not finished
 * @param text only those with this in their title, whatever the case
 * @param without none of these kinds
 * @param before only those that come after this one in the list, which is how to turn the page
 * @param most how many at most
 */
public record RunQuery(
        Optional<String> kind,
        Optional<String> stop,
        Optional<String> text,
        List<String> without,
        Optional<RunRow> before,
        int most) {

    public RunQuery {
        without = List.copyOf(without);
    }

    public RunQuery(
            Optional<String> kind,
            Optional<String> stop,
            Optional<String> text,
            Optional<RunRow> before,
            int most) {
        this(kind, stop, text, List.of(), before, most);
    }

    public static RunQuery newest(int most) {
        return new RunQuery(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), most);
    }

    /** The same without the runs of some kinds. */
    public RunQuery without(String... kinds) {
        return new RunQuery(kind, stop, text, List.of(kinds), before, most);
    }
}
