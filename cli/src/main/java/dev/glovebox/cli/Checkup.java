package dev.glovebox.cli;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What was found on this machine.
 *
 * @param system facts about the machine, by name
 * @param findings one for each tier, the fastest first
 */
record Checkup(Map<String, String> system, List<Finding> findings) {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /**
     * What was found out about a tier.
     *
     * @param interpreters what its boxes get; a language that is not there has none
     * @param ownInterpreters whether installing one on this machine would not change that
     */
    record Finding(
            String tier,
            Isolation isolation,
            Availability availability,
            Map<Language, Interpreter> interpreters,
            boolean ownInterpreters) {

        boolean works() {
            return availability instanceof Availability.Works;
        }
    }

    boolean anyWorks() {
        return findings.stream().anyMatch(Finding::works);
    }

    /** Tries all tiers at once; one that does not answer is given up after twenty seconds. */
    static Checkup perform() {
        List<Tier> tiers = Sandboxes.tiers();
        List<FutureTask<Finding>> probes = new ArrayList<>();
        for (Tier tier : tiers) {
            FutureTask<Finding> probe = new FutureTask<>(() -> probe(tier));
            Thread.ofPlatform().daemon().name("glovebox-probe-" + tier.name()).start(probe);
            probes.add(probe);
        }
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<Finding> findings = new ArrayList<>();
        for (int i = 0; i < tiers.size(); i++) {
            findings.add(await(tiers.get(i), probes.get(i), deadline));
        }
        return new Checkup(facts(), List.copyOf(findings));
    }

    private static Finding probe(Tier tier) {
        Availability availability = tier.probe();
        Map<Language, Interpreter> interpreters = new EnumMap<>(Language.class);
        if (availability instanceof Availability.Works) {
            for (Language language : Language.values()) {
                tier.interpreter(language, Policy.denyAll())
                        .ifPresent(interpreter -> interpreters.put(language, interpreter));
            }
        }
        return new Finding(
                tier.name(), tier.isolation(), availability, interpreters, tier.ownInterpreters());
    }

    private static Finding await(Tier tier, FutureTask<Finding> probe, long deadline) {
        try {
            return probe.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return missing(tier, "it did not answer within " + PATIENCE.toSeconds() + " s");
        } catch (ExecutionException e) {
            return missing(tier, "trying it failed: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return missing(tier, "trying it was interrupted");
        }
    }

    private static Finding missing(Tier tier, String reason) {
        return new Finding(
                tier.name(),
                tier.isolation(),
                new Availability.Missing(
                        reason, "Try again with GLOVEBOX_DEBUG=1 and report what it shows"),
                Map.of(),
                tier.ownInterpreters());
    }

    private static Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("system", property("os.name") + " " + property("os.version"));
        facts.put("architecture", property("os.arch"));
        facts.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        facts.put("user", property("user.name") + uid());
        facts.put("java", property("java.vendor") + " " + property("java.runtime.version"));
        return facts;
    }

    private static String property(String name) {
        return System.getProperty(name, "unknown");
    }

    private static String uid() {
        try {
            return " (uid " + Files.getAttribute(Path.of("/proc/self"), "unix:uid") + ")";
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return ""; // not on Linux
        }
    }
}
