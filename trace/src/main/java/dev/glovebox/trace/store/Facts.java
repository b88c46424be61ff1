package dev.glovebox.trace.store;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.trace.Entry;
import dev.glovebox.trace.spi.Append;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;

/**
 * What lists of runs show and look for, taken out of records.
 *
 * <p>A store does not judge: what a record of a future version says in another way is left empty.
 */
final class Facts {

    // An index of PostgreSQL holds no longer values than 2,700 bytes; UTF-8 takes up to 3 per char.
    private static final int LONGEST_WORD = 200;
    private static final int LONGEST_TITLE = 1_000;

    private Facts() {}

    /** How a run began. */
    record Start(byte[] kind, byte[] title, byte[] folded, long at) {}

    /** How a run ended. */
    record End(byte[] stop, long at) {}

    static Start start(Append append) {
        Entry first = append.entries().getFirst();
        JsonNode derived = first.rawBody().path("derived");
        String title = cut(derived.path("title").asText(), LONGEST_TITLE);
        return new Start(
                word(derived.path("kind").asText()), utf8(title), folded(title), first.at());
    }

    static Optional<End> end(Append append) {
        for (Entry entry : append.entries()) {
            if (isEnd(entry)) {
                String stop = entry.rawBody().path("derived").path("stop").asText();
                return Optional.of(new End(word(stop), entry.at()));
            }
        }
        return Optional.empty();
    }

    static boolean isEnd(Entry entry) {
        return entry.type().equals("run.finished");
    }

    /** A kind or a stop, as it is kept. */
    static byte[] word(String text) {
        return utf8(cut(text, LONGEST_WORD));
    }

    /** What is the same for texts that differ only in case: databases know that of ASCII only. */
    static byte[] folded(String text) {
        return utf8(text.toUpperCase(Locale.ROOT).toLowerCase(Locale.ROOT));
    }

    static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String cut(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        boolean pair = Character.isHighSurrogate(text.charAt(longest - 1));
        return text.substring(0, pair ? longest - 1 : longest);
    }
}
