package dev.glovebox.coder;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.glovebox.sandbox.Policy;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a pipeline works: with the record of a run, all that is needed to go on with it.
 *
 * @param policy of the boxes in which code runs, in canonical JSON
 * @param tier the wall, if it is asked for by name
 * @param model the models of all roles, from small to large, as in {@code openai:gpt-4o-mini,
 *     openai:gpt-4o}; empty: it works without any
 * @param attempts how many are made at most
 * @param packages whether what a program lacks can be installed; not written where it cannot, as in
 *     older records
 * @param memory whether the debugger is told what helped before; not written where it is not
 * @param models of roles that have their own, by the role, in place of those of all roles; not
 *     written where there are none
 */
public record Settings(
        String policy,
        Optional<String> tier,
        String model,
        int attempts,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean packages,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean memory,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, String> models) {

    /** The roles that models can have. */
    public static final List<String> ROLES =
            List.of(ModelPlanner.ROLE, ModelCoder.ROLE, ModelDebugger.ROLE);

    /** How many attempts are made if nobody says otherwise. */
    public static final int ATTEMPTS = 3;

    public Settings {
        // Older records have none; in an order that is the same in every process.
        models =
                Collections.unmodifiableMap(
                        models == null ? new TreeMap<>() : new TreeMap<>(models));
        if (attempts < 1) {
            throw new IllegalArgumentException("At least one attempt must be made");
        }
    }

    /** Behind the fastest wall; nothing is installed, and nothing remembered. */
    public Settings(String policy, String model, int attempts) {
        this(policy, Optional.empty(), model, attempts, false, false, Map.of());
    }

    /** The same behind the wall of that name. */
    public Settings tier(String name) {
        return new Settings(policy, Optional.of(name), model, attempts, packages, memory, models);
    }

    /** The same; what a program lacks is installed if the policy lets the install step do that. */
    public Settings installing() {
        Policy read = Policy.parse(policy, "the policy of the run", Path.of("/"));
        return new Settings(
                policy, tier, model, attempts, read.install().packageIndex(), memory, models);
    }

    /** The same; with a model, the debugger is told what helped before. */
    public Settings remembering() {
        boolean asked = !models(ModelDebugger.ROLE).isEmpty();
        return new Settings(policy, tier, model, attempts, packages, asked, models);
    }

    /** The same; roles with models of their own. */
    public Settings models(Map<String, String> own) {
        return new Settings(policy, tier, model, attempts, packages, memory, own);
    }

    /** The models of a role, from small to large; empty: it works without any. */
    public String models(String role) {
        return models.getOrDefault(role, model);
    }
}
