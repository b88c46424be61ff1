package dev.glovebox.agent;

import java.util.List;
import java.util.Map;

/** The models for a role, from small to large: after a failure the next one is asked. */
public record Route(List<Model> models) {

    public Route {
        models = List.copyOf(models);
        if (models.isEmpty()) {
            throw new IllegalArgumentException("A route needs a model");
        }
    }

    public static Route of(Model... models) {
        return new Route(List.of(models));
    }

    /**
     * Opens the models of a route.
     *
     * @param specs such as {@code anthropic:claude-haiku-4-5, anthropic:claude-opus-4-5}
     * @throws IllegalArgumentException if one of them is none, or its key is missing
     */
    public static Route open(String specs, Map<String, String> environment) {
        return new Route(
                List.of(specs.split(",", -1)).stream()
                        .map(spec -> Models.open(spec.strip(), environment))
                        .toList());
    }

    /** Without so many of the small ones; the largest one stays. */
    public Route from(int level) {
        return new Route(models.subList(Math.min(level, models.size() - 1), models.size()));
    }

    /**
     * The models of a route that are not opened before they are asked: a replay asks none, and
     * needs no keys.
     *
     * @throws IllegalArgumentException if one of them is none
     */
    public static Route later(String specs, Map<String, String> environment) {
        return new Route(
                List.of(specs.split(",", -1)).stream()
                        .<Model>map(spec -> new LaterModel(spec.strip(), environment))
                        .toList());
    }

    /** The same models, whose failures guardrails look at. */
    Route guarded(Guardrails guardrails, String agent) {
        return guardrails.isEmpty()
                ? this
                : new Route(
                        models.stream()
                                .<Model>map(model -> new GuardedModel(model, guardrails, agent))
                                .toList());
    }

    Model at(int level) {
        return models.get(Math.min(level, models.size() - 1));
    }

    boolean hasLarger(int level) {
        return level < models.size() - 1;
    }
}
