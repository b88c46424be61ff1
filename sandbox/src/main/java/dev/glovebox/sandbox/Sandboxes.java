package dev.glovebox.sandbox;

import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.lang.ref.SoftReference;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Opens boxes: finds the tiers and chooses among them. */
public final class Sandboxes {

    /** What was found last; not held against a class loader that nobody else holds. */
    private static volatile SoftReference<Found> found = new SoftReference<>(null);

    private record Found(@Nullable ClassLoader by, List<Tier> tiers) {}

    private Sandboxes() {}

    /** All tiers on the class path, the fastest first. */
    public static List<Tier> tiers() {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Found before = found.get();
        if (before == null || !Objects.equals(before.by(), loader)) {
            before = new Found(loader, find(loader));
            found = new SoftReference<>(before);
        }
        return before.tiers();
    }

    private static List<Tier> find(@Nullable ClassLoader loader) {
        return ServiceLoader.load(Tier.class, loader).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparing(Tier::typicalStart))
                .toList();
    }

    /** Does ahead, on the calling thread, what the first box would wait for. */
    public static void prepare() {
        tiers().stream().filter(tier -> !tier.onlyByName()).forEach(Tier::prepare);
    }

    /**
     * Opens a box behind the fastest wall that satisfies the policy and has the languages.
     *
     * @throws NotEnforceable if there is none; the message names each tier and why not
     */
    public static Sandbox open(Policy policy, Language... languages) {
        return open(
                tiers().stream().filter(tier -> !tier.onlyByName()).toList(),
                policy,
                List.of(languages));
    }

    /**
     * Opens a box behind a named wall.
     *
     * @throws NotEnforceable if it is not there, too weak for the policy, or does not work here
     */
    public static Sandbox openTier(String name, Policy policy, Language... languages) {
        List<Tier> named = tiers().stream().filter(tier -> tier.name().equals(name)).toList();
        if (named.isEmpty()) {
            throw new NotEnforceable(
                    "isolation",
                    "There is no tier '"
                            + name
                            + "'; there are "
                            + tiers().stream().map(Tier::name).toList());
        }
        return open(named, policy, List.of(languages));
    }

    /**
     * Opens a box behind a wall of your own, which is held to the policy like those that are found.
     *
     * @throws NotEnforceable if it is too weak for the policy, or does not work here
     */
    public static Sandbox openTier(Tier tier, Policy policy, Language... languages) {
        return open(List.of(tier), policy, List.of(languages));
    }

    private static Sandbox open(List<Tier> tiers, Policy policy, List<Language> languages) {
        StringJoiner reasons = new StringJoiner("; ");
        String control = "isolation";
        for (Tier tier : tiers) {
            if (!tier.isolation().atLeast(policy.isolation())) {
                reasons.add(
                        tier.name() + ": weaker than the policy's '" + policy.isolation() + "'");
                continue;
            }
            if (policy.image().isPresent() && !tier.takesImages()) {
                reasons.add(tier.name() + ": its boxes are not made of images");
                control = "image";
                continue;
            }
            try {
                tier.check(policy);
                List<Language> missing =
                        languages.stream()
                                .filter(language -> tier.interpreter(language, policy).isEmpty())
                                .toList();
                if (missing.isEmpty()) {
                    return tier.open(policy);
                }
                // Of a wall that does not work, nobody can say what it would have.
                if (tier.probe() instanceof Availability.Missing(String reason, String remedy)) {
                    reasons.add(tier.name() + ": " + reason + ". " + remedy);
                } else {
                    reasons.add(tier.name() + ": no interpreter for " + missing);
                    control = "runtime";
                }
            } catch (NotEnforceable e) {
                control = e.control();
                reasons.add(tier.name() + ": " + e.getMessage());
            }
        }
        throw new NotEnforceable(control, "No wall here satisfies the policy. " + reasons);
    }
}
