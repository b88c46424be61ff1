package dev.glovebox.cli;

import dev.glovebox.agent.Model;
import dev.glovebox.agent.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The models that somebody names on the command line.
 *
 * @param all those of all roles, from small to large, with commas; empty if there are none
 * @param own those of single roles, by the role
 */
record ModelOption(String all, Map<String, String> own) {

    static final String NAME = "--model";

    static OptionSpec spec(List<String> roles) {
        return Options.many(
                NAME,
                "[ROLE=]SPEC",
                "The model of all roles, such as openai:gpt-5-mini, or of one role (%s); several, from"
                                .formatted(String.join(", ", roles))
                        + " small to large, with commas.");
    }

    /**
     * Reads them.
     *
     * @throws BadInput if there is no such role, it is named twice, or without a model
     */
    static ModelOption of(ParseResult parsed, List<String> roles) {
        Map<String, String> models = new TreeMap<>();
        for (String value : Options.many(parsed, NAME)) {
            String role = role(value);
            if (!role.isEmpty() && !roles.contains(role)) {
                throw new BadInput(
                        "%s '%s': there is no role '%s', but %s"
                                .formatted(NAME, value, role, String.join(", ", roles)));
            }
            String specs = role.isEmpty() ? value : value.substring(role.length() + 1);
            if (specs.isBlank()) {
                throw new BadInput("%s '%s' names no model".formatted(NAME, value));
            }
            if (models.put(role, specs) != null) {
                throw new BadInput(
                        "%s is given twice for %s; several models stand in one, with commas"
                                .formatted(NAME, role.isEmpty() ? "all roles" : "the " + role));
            }
        }
        String all = models.remove("");
        return new ModelOption(all == null ? "" : all, models);
    }

    /** What stands before the first model; names of models have a colon before anything else. */
    private static String role(String value) {
        int equals = value.indexOf('=');
        return equals < 0 || value.substring(0, equals).contains(":")
                ? ""
                : value.substring(0, equals);
    }

    /** The models of a role; empty if it has none. */
    String of(String role) {
        return own.getOrDefault(role, all);
    }

    boolean isEmpty() {
        return all.isEmpty() && own.isEmpty();
    }

    /**
     * The names of all of them, which can be asked.
     *
     * @throws BadInput if one is none, or its key is missing
     */
    List<String> names(Shell shell) {
        List<String> specs = new ArrayList<>(own.values());
        if (!all.isEmpty()) {
            specs.add(all);
        }
        try {
            return specs.stream()
                    .flatMap(some -> Route.open(some, shell.env()).models().stream())
                    .map(Model::name)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new BadInput(String.valueOf(e.getMessage()), e);
        }
    }
}
