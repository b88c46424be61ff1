package dev.glovebox.run;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Where a program does something else than it did when its run was recorded.
 *
 * @param path the node
 * @param what of it is different
 * @param recorded how it was; cut, if it is long
 * @param now how it is
 */
public record Divergence(String path, String what, String recorded, String now) {

    private static final int LONGEST = 160;
    private static final int BEFORE = 20;

    /** Of two texts, what stands around their first difference. */
    static Divergence between(String path, String what, String recorded, String now) {
        int common = 0;
        int most = Math.min(recorded.length(), now.length());
        while (common < most && recorded.charAt(common) == now.charAt(common)) {
            common++;
        }
        return new Divergence(path, what, excerpt(recorded, common), excerpt(now, common));
    }

    /** Of what is on record and the program cannot read, since its type is another one now. */
    static Divergence unreadable(String path, String what, byte[] recorded, Class<?> type) {
        return between(path, what, new String(recorded, StandardCharsets.UTF_8), form(type));
    }

    private static String form(Class<?> type) {
        return type.isRecord()
                ? Stream.of(type.getRecordComponents())
                        .map(part -> part.getType().getSimpleName() + " " + part.getName())
                        .collect(Collectors.joining(", ", type.getSimpleName() + "(", ")"))
                : type.getSimpleName();
    }

    private static String excerpt(String text, int around) {
        int from = Math.max(0, text.length() <= LONGEST ? 0 : around - BEFORE);
        int to = Math.min(text.length(), from + LONGEST);
        return (from > 0 ? "…" : "") + text.substring(from, to) + (to < text.length() ? "…" : "");
    }

    /** For people. */
    public String sentence() {
        return "%s, %s: recorded %s, now %s".formatted(path, what, recorded, now);
    }
}
