package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A scrubbed child process with resource limits: for code you trust. */
public final class ProcessTier implements Tier {

    static final String NAME = "process";
    static final String VERSION = "for code you trust";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Isolation isolation() {
        return Isolation.PROCESS;
    }

    @Override
    public Duration typicalStart() {
        return Duration.ofMillis(3);
    }

    @Override
    public Availability probe() {
        if (!Platform.linux()) {
            return Platform.missing();
        }
        try (Sandbox box = open(Policy.denyAll().isolation(Isolation.PROCESS))) {
            return new Availability.Works(
                    VERSION,
                    List.of(
                            new Control("environment", "scrubbed", "own environment"),
                            new Control(
                                    "resource limits",
                                    "cpu-time, memory, open-files, file size",
                                    "rlimits"),
                            new Control("network", "not confined", "this tier"),
                            new Control("files", "not confined", "this tier"),
                            new Control("scratch", box.tier(), "own directory")));
        } catch (NotEnforceable e) {
            return new Availability.Missing(e.reason(), e.remedy());
        }
    }

    @Override
    public int sweep() {
        return Platform.linux() ? ScratchFolder.sweep() : 0;
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return Platform.linux() ? Interpreters.find(language, policy) : Optional.empty();
    }

    @Override
    public Sandbox open(Policy policy) {
        if (!Platform.linux()) {
            throw new NotEnforceable("isolation", Platform.missing().reason());
        }
        if (!policy.files().isEmpty()) {
            throw new NotEnforceable(
                    "files",
                    "the process tier cannot show single host files; it does not hide any");
        }
        if (!policy.network().isEmpty()) {
            throw new NotEnforceable(
                    "network",
                    "the process tier cannot allow single hosts; it does not confine the network");
        }
        if (policy.env().containsKey("HOME")) {
            throw new NotEnforceable(
                    "env",
                    "the process tier finds its processes by their HOME, which a policy cannot set");
        }
        if (policy.memoryEnforcement() == Policy.MemoryEnforcement.TREE) {
            throw new NotEnforceable("memory-enforcement", "the process tier has no cgroup");
        }
        return Boxes.open(() -> new ProcessBox(policy, ScratchFolder.create()));
    }
}
