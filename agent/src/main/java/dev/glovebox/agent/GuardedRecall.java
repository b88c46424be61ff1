package dev.glovebox.agent;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.glovebox.agent.Guardrail.Point;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a memory gave back, without what guardrails keep from it.
 *
 * <p>It comes from outside like the result of a tool: whoever wrote it had perhaps no guardrails.
 * Each text is looked at by itself, so that one which is blocked does not take the others along.
 */
record GuardedRecall(Inspection inspection) {

    private static final String MEMORY = "memory";

    Recall.Found of(Recall.Found raw) {
        return new Recall.Found(
                raw.facts().stream().flatMap(this::fact).toList(),
                raw.episodes().stream().flatMap(this::episode).toList());
    }

    private Stream<Recalled<Fact>> fact(Recalled<Fact> found) {
        Optional<String> text = passed(found.what().text());
        Optional<String> source = passed(found.what().source());
        if (text.isEmpty() || source.isEmpty() || text.get().isBlank()) {
            return Stream.empty();
        }
        return Stream.of(with(found, new Fact(fitting(text.get()), source.get())));
    }

    /** A fence makes a text longer, perhaps longer than a fact may be. */
    private static String fitting(String text) {
        return text.length() > Fact.MOST_CHARACTERS
                ? Excerpt.ends(text, Fact.MOST_CHARACTERS)
                : text;
    }

    private Stream<Recalled<Episode>> episode(Recalled<Episode> found) {
        Episode what = found.what();
        Optional<String> task = passed(what.task());
        Optional<String> error = passed(what.error());
        Optional<String> fix = passed(what.fix());
        Optional<String> outcome = passed(what.outcome());
        if (task.isEmpty() || error.isEmpty() || fix.isEmpty() || outcome.isEmpty()) {
            return Stream.empty();
        }
        return task.get().isBlank()
                ? Stream.empty()
                : Stream.of(
                        with(
                                found,
                                new Episode(
                                        task.get(),
                                        error.get(),
                                        fix.get(),
                                        outcome.get(),
                                        what.run())));
    }

    private Optional<String> passed(String text) {
        if (text.isEmpty()) {
            return Optional.of(text);
        }
        Guarded guarded = inspection.look(Point.TOOL_RESULT, MEMORY, text);
        return guarded.isBlocked() ? Optional.empty() : Optional.of(guarded.text());
    }

    private static <T> Recalled<T> with(Recalled<?> found, T what) {
        return new Recalled<>(found.id(), what, found.at(), found.times(), found.score());
    }

    ArrayNode findings() {
        return inspection.json();
    }
}
