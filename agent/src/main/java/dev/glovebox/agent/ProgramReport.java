package dev.glovebox.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.glovebox.sandbox.Pressure;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a model reads of a program. */
final class ProgramReport {

    private static final int MOST_OF_A_STREAM = 16 << 10;
    private static final int LONGEST_PATH = 80;

    private ProgramReport() {}

    /** Whatever is not an exit with 0 is an error. */
    static ToolOutput of(Executed executed, LeftFiles left) {
        StringBuilder text = new StringBuilder();
        text.append("outcome: ").append(OutcomeJson.words(executed.outcome()));
        if (!executed.pressure().isEmpty()) {
            text.append("\nlimits touched: ")
                    .append(
                            executed.pressure().stream()
                                    .map(Pressure::toString)
                                    .collect(Collectors.joining(", ")));
        }
        stream(text, "stdout", executed.stdout(), executed.out());
        stream(text, "stderr", executed.stderr(), executed.err());
        names(text, "files written", left.changed().keySet());
        names(text, "files removed", left.removed());
        left.refused()
                .forEach((path, why) ->
                        text.append("\nnot kept: ")
                                .append(Excerpt.line(path, LONGEST_PATH))
                                .append(" (")
                                .append(why)
                                .append(')'));
        return new ToolOutput(
                text.toString(), !executed.outcome().success(), Optional.of(executed));
    }

    private static void names(StringBuilder to, String what, Collection<String> names) {
        if (!names.isEmpty()) {
            to.append("\n").append(what).append(": ").append(String.join(", ", names));
        }
    }

    private static void stream(StringBuilder to, String name, byte[] kept, Executed.Extent extent) {
        if (extent.total() == 0) {
            return;
        }
        to.append("\n").append(name).append(":\n");
        // The end tells why, the beginning what it was about.
        int half = MOST_OF_A_STREAM / 2;
        boolean whole = kept.length == extent.total() && kept.length <= MOST_OF_A_STREAM;
        int head = whole ? kept.length : Math.min(half, extent.head());
        int tail = whole ? 0 : Math.min(half, kept.length - head);
        String first = new String(kept, 0, head, UTF_8);
        if (whole) {
            to.append(first.stripTrailing());
            return;
        }
        String beginning = Excerpt.wholeWords(first);
        String end = Excerpt.lastWholeWords(new String(kept, kept.length - tail, tail, UTF_8));
        long shown = Tokens.bytes(beginning) + Tokens.bytes(end);
        to.append(beginning.stripTrailing())
                .append(
                        "\n[%d bytes are not shown]\n"
                                .formatted(Math.max(0, extent.total() - shown)))
                .append(end.strip());
    }
}
