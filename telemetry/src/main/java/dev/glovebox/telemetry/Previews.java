package dev.glovebox.telemetry;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.EffectOutcome;
import java.util.Optional;
import java.util.function.Function;

/**
 * The beginning of what a program wrote to its standard error: the one content that leaves a trace,
 * and only if it is not private.
 */
final class Previews {

    private static final int CHARACTERS = 200;
    private static final int LONGEST_CHARACTER = 4;

    private final Function<String, Optional<Blob>> blobs;

    Previews(Function<String, Optional<Blob>> blobs) {
        this.blobs = blobs;
    }

    Optional<String> of(Event event) {
        return event instanceof EffectOutcome outcome
                        && outcome.id().kind().equals(EffectKind.SANDBOX_EXEC)
                        && outcome.details().path("stderr").isObject()
                ? preview(outcome)
                : Optional.empty();
    }

    private Optional<String> preview(EffectOutcome outcome) {
        try {
            return Optional.of(BlobRef.of(outcome.details().path("stderr")))
                    .filter(reference -> !reference.salted())
                    .flatMap(reference -> blobs.apply(reference.digest()))
                    .filter(blob -> !blob.isSalted())
                    .map(blob -> beginning(blob.content()))
                    .filter(text -> !text.isEmpty());
        } catch (RuntimeException notThere) {
            // Whatever the store's trouble is: who needs the content will ask it and be told.
            return Optional.empty();
        }
    }

    private static String beginning(byte[] content) {
        int most = Math.min(content.length, CHARACTERS * LONGEST_CHARACTER);
        String text = new String(content, 0, most, UTF_8);
        return text.codePointCount(0, text.length()) <= CHARACTERS
                ? text
                : text.substring(0, text.offsetByCodePoints(0, CHARACTERS));
    }
}
