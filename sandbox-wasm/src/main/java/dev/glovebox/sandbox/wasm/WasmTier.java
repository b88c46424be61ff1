package dev.glovebox.sandbox.wasm;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** JavaScript and WASI modules inside this JVM: a wall wherever there is a JVM. */
public final class WasmTier implements Tier {

    static final String NAME = "wasm";

    @Override
    public String name() {
        return NAME;
    }

    /** At least that strong: a program has no system call at all. */
    @Override
    public Isolation isolation() {
        return Isolation.JAIL;
    }

    /**
     * Its boxes are there in milliseconds, but compute far slower than a process and know less than
     * node: it is for where there is no other wall, so it comes last.
     */
    @Override
    public Duration typicalStart() {
        return Duration.ofMinutes(1);
    }

    @Override
    public void prepare() {
        QuickJs.engine();
    }

    @Override
    public int sweep() {
        return 0; // nothing of it outlives the JVM
    }

    @Override
    public Availability probe() {
        try (Sandbox box = open(Policy.denyAll())) {
            Result result = box.run(Program.javascript("console.log(6 * 7)"));
            boolean works =
                    result.outcome().equals(new Outcome.Exited(0))
                            && result.stdout().text().equals("42\n");
            return works
                    ? new Availability.Works(Engines.ALL, List.copyOf(result.receipt().controls()))
                    : new Availability.Missing("its engine does not run: " + result.outcome(), "");
        } catch (LinkageError | IllegalStateException e) {
            return new Availability.Missing("its engine does not start: " + e, "");
        }
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return language == Language.JAVASCRIPT && !policy.runtime().containsKey(language)
                ? Optional.of(Receipts.JAVASCRIPT)
                : Optional.empty();
    }

    @Override
    public boolean ownInterpreters() {
        return true;
    }

    @Override
    public Sandbox open(Policy policy) {
        if (!policy.files().isEmpty()) {
            throw new NotEnforceable(
                    "files", "the wasm tier shows no host files; give them as input files");
        }
        if (!policy.network().isEmpty()) {
            throw new NotEnforceable("network", "the wasm tier has no network");
        }
        if (policy.limits().cpus() < 1) {
            throw new NotEnforceable("cpus", "the wasm tier cannot give a part of a processor");
        }
        return new WasmBox(policy);
    }
}
