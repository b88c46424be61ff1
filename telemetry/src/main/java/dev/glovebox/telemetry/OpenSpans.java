package dev.glovebox.telemetry;

import dev.glovebox.trace.Event.EffectId;
import dev.glovebox.trace.Event.EffectIntent;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/** The nodes and effects of a run that have begun and not ended, and what is in which. */
final class OpenSpans {

    private final SequencedMap<String, Span> nodes = new LinkedHashMap<>();
    private final SequencedMap<String, Effect> effects = new LinkedHashMap<>();

    /**
     * An effect without an outcome so far.
     *
     * @param before the attributes that its span began with
     */
    record Effect(EffectIntent intent, EffectKind kind, Attributes before, Span span) {

        EffectId id() {
            return intent.id();
        }
    }

    void addNode(String path, Span span) {
        nodes.put(path, span);
    }

    Optional<Span> node(String path) {
        return Optional.ofNullable(nodes.get(path));
    }

    Optional<Span> removeNode(String path) {
        return Optional.ofNullable(nodes.remove(path));
    }

    void addEffect(Effect effect) {
        effects.put(effect.id().key(), effect);
    }

    Optional<Effect> effect(String key) {
        return Optional.ofNullable(effects.get(key));
    }

    Optional<Effect> removeEffect(String key) {
        return Optional.ofNullable(effects.remove(key));
    }

    /** Forgets all and gives them, those that began last first. */
    List<Span> removeAll() {
        List<Span> all =
                Stream.concat(
                                effects.reversed().values().stream().map(Effect::span),
                                nodes.reversed().values().stream())
                        .toList();
        effects.clear();
        nodes.clear();
        return all;
    }

    /**
     * The innermost span that a path is in: a node whose path it has or continues, an effect whose
     * key it has or continues, or the tool that a node above it is calling.
     */
    Optional<Span> around(String path) {
        for (String in = path; !in.isEmpty(); in = above(in)) {
            Optional<Span> found = effect(in).map(Effect::span);
            if (found.isEmpty() && !in.equals(path)) {
                found = onlyTool(in);
            }
            if (found.isEmpty()) {
                found = node(in);
            }
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    /** The tool that a node is calling; of several at once nobody can say which one is meant. */
    private Optional<Span> onlyTool(String path) {
        List<Span> tools =
                effects.values().stream()
                        .filter(effect -> effect.kind() instanceof ToolCall)
                        .filter(effect -> effect.id().path().equals(path))
                        .map(Effect::span)
                        .limit(2)
                        .toList();
        return tools.size() == 1 ? Optional.of(tools.getFirst()) : Optional.empty();
    }

    private static String above(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }
}
