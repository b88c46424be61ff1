package dev.glovebox.telemetry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.glovebox.trace.Blob;
import dev.glovebox.trace.BlobRef;
import dev.glovebox.trace.Event;
import dev.glovebox.trace.Event.RunFinished;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The attempts that a run has made, where its last state has a list of that name.
 *
 * <p>Whoever counts attempts puts them into the state as {@code attempts}, each with a {@code
 * diagnosis} that has a {@code category} if it was not good. No more is known here of what runs do.
 *
 * @param failures the category of each attempt that was not good
 */
record RunAttempts(int count, List<String> failures) {

    static final RunAttempts NONE = new RunAttempts(0, List.of());

    private static final JsonMapper JSON = new JsonMapper();
    private static final long LARGEST = 16 << 20;
    private static final int MOST = 100;

    /** The words of our own debuggers: whoever knows one of them knows nothing of a program. */
    private static final Set<String> OF_OURS =
            Set.of(
                    "missing-module",
                    "missing-import",
                    "syntax",
                    "indentation",
                    "brackets",
                    "encoding",
                    "type",
                    "index",
                    "key",
                    "name",
                    "value",
                    "removed-api",
                    "python2",
                    "recursion",
                    "module-system",
                    "async",
                    "missing-file",
                    "input",
                    "division",
                    "installation",
                    "time-out",
                    "memory",
                    "limit",
                    "denied",
                    "assertion",
                    "output",
                    "unknown");

    RunAttempts {
        failures = List.copyOf(failures);
    }

    /** Of private content only how many there are is told, and categories that are known words. */
    static RunAttempts of(Event event, Function<String, Optional<Blob>> blobs) {
        if (!(event instanceof RunFinished(_, Optional<BlobRef> result, _)) || result.isEmpty()) {
            return NONE;
        }
        try {
            return result.filter(kept -> kept.bytes() <= LARGEST)
                    .flatMap(kept -> blobs.apply(kept.digest()))
                    .map(blob -> read(blob.content(), result.get().salted() || blob.isSalted()))
                    .orElse(NONE);
        } catch (RuntimeException notThere) {
            return NONE;
        }
    }

    private static RunAttempts read(byte[] content, boolean isPrivate) {
        JsonNode attempts;
        try {
            attempts = JSON.readTree(content).path("state").path("attempts");
        } catch (IOException e) {
            return NONE;
        }
        if (!attempts.isArray() || attempts.size() > MOST) {
            return NONE;
        }
        List<String> failures = new ArrayList<>();
        for (JsonNode attempt : attempts) {
            Member.textOf(attempt.path("diagnosis").path("category"))
                    .map(category -> word(category, isPrivate))
                    .ifPresent(failures::add);
        }
        return new RunAttempts(attempts.size(), failures);
    }

    private static String word(String category, boolean isPrivate) {
        return isPrivate && !OF_OURS.contains(category)
                ? EffectKind.SOME_ERROR
                : EffectKind.word(category);
    }
}
