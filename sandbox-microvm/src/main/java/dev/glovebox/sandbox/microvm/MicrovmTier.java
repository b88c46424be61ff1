package dev.glovebox.sandbox.microvm;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Limits;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.SeccompProfile;
import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/** A virtual machine of its own for each box, by QEMU. */
public final class MicrovmTier implements Tier {

    static final String NAME = "microvm";

    private static final int SEED = 64;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final Map<String, String> environment;
    private final boolean cold;

    public MicrovmTier() {
        this(System.getenv(), false);
    }

    private MicrovmTier(Map<String, String> environment, boolean cold) {
        this.environment = Map.copyOf(environment);
        this.cold = cold;
    }

    /** The same wall without snapshots: each machine starts from its kernel; to measure with. */
    public static Tier withoutSnapshots() {
        return new MicrovmTier(System.getenv(), true);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Isolation isolation() {
        return Isolation.MICROVM;
    }

    @Override
    public Duration typicalStart() {
        return Duration.ofSeconds(5);
    }

    @Override
    public int sweep() {
        return Folder.sweep() + Building.sweep(environment);
    }

    @Override
    public void prepare() {
        if (Launch.missing(environment).isEmpty()) {
            open(Policy.denyAll().isolation(Isolation.MICROVM)).close();
        }
    }

    @Override
    public Availability probe() {
        Optional<Availability.Missing> missing = Launch.missing(environment);
        if (missing.isPresent()) {
            return missing.get();
        }
        try (Sandbox box = open(Policy.denyAll().isolation(Isolation.MICROVM))) {
            Result result = box.run(Program.command("echo", "42"));
            return result.outcome().equals(new Outcome.Exited(0))
                            && result.stdout().text().equals("42\n")
                    ? new Availability.Works(
                            result.receipt().tierVersion(), result.receipt().controls())
                    : new Availability.Missing(
                            "its guest runs nothing: " + result.outcome(), "glovebox image build");
        } catch (NotEnforceable e) {
            return new Availability.Missing(e.reason(), e.remedy());
        }
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return policy.runtime().containsKey(language)
                ? Optional.empty()
                : Image.current(environment).flatMap(image -> image.interpreter(language));
    }

    @Override
    public boolean ownInterpreters() {
        return true;
    }

    @Override
    public Sandbox open(Policy policy) {
        if (!policy.files().isEmpty()) {
            throw new NotEnforceable(
                    "files", "the microvm tier shows no host files; give them as input files");
        }
        if (!policy.network().isEmpty()) {
            throw new NotEnforceable(
                    "network", "the microvm tier has no network, so it cannot allow single hosts");
        }
        if (!policy.runtime().isEmpty()) {
            throw new NotEnforceable(
                    "runtime", "the microvm tier has the interpreters of its image only");
        }
        Launch launch = Launch.of(Shape.of(policy.limits()), environment);
        Machine machine =
                cold
                        ? Snapshots.boot(launch)
                        : new Snapshots(environment, launch.image()).restore(launch);
        try {
            Link link = new Link(machine);
            Limits limits = policy.limits();
            // Files of the scratch are memory, and charged to whoever writes them.
            long memory = limits.memory().plus(limits.disk()).count();
            JsonNode found = link.ask("open", request(limits, memory)).reply().path("found");
            return new MicrovmBox(
                    policy, link, Confinement.verify(launch, machine, found, policy, memory));
        } catch (IOException | BoxGone e) {
            machine.close();
            throw new NotEnforceable("isolation", "The guest does not answer", e);
        } catch (RuntimeException e) {
            machine.close();
            throw e;
        }
    }

    /** Every machine of a snapshot would have the same time and the same random numbers. */
    private static Map<String, ?> request(Limits limits, long memory) {
        byte[] seed = new byte[SEED];
        RANDOM.nextBytes(seed);
        return Map.of(
                "seed",
                Base64.getEncoder().encodeToString(seed),
                "filter",
                Base64.getEncoder().encodeToString(SeccompProfile.program(true)),
                "time",
                System.currentTimeMillis(),
                "limits",
                Map.of(
                        "memory", memory,
                        "own", limits.memory().count(),
                        "processes", limits.processes(),
                        "cpuQuota", Confinement.quota(limits),
                        "cpuMicros", limits.cpuTime().toMillis() * 1000,
                        "cpuSeconds", Confinement.cpuSeconds(limits),
                        "openFiles", limits.openFiles(),
                        "disk", limits.disk().count(),
                        "inodes", Confinement.inodes(limits)));
    }
}
