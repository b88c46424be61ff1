package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Namespaces, our own system call filter, cgroups and no privileges, with bubblewrap. */
public final class JailTier implements Tier {

    static final String NAME = "jail";

    /** Found once for the JVM: where cgroups can be made does not change while it runs. */
    private static final class Group {
        static final Cgroups HERE = Cgroups.discover();
    }

    /** What dead JVMs left is looked for once, when the first box is opened. */
    private static final class Leftovers {
        static {
            Group.HERE.sweep();
        }

        static void sweepOnce() {
            // Loading this class has done it.
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Isolation isolation() {
        return Isolation.JAIL;
    }

    @Override
    public Duration typicalStart() {
        return Duration.ofMillis(10);
    }

    static String version() {
        return bubblewrap()
                .map(path -> "bubblewrap " + Tools.version(path))
                .orElse("no bubblewrap");
    }

    private static Optional<Path> bubblewrap() {
        return Tools.find("bwrap");
    }

    @Override
    public Optional<Interpreter> interpreter(Language language, Policy policy) {
        return Platform.linux() ? Interpreters.find(language, policy) : Optional.empty();
    }

    @Override
    public Availability probe() {
        if (!Platform.linux()) {
            return Platform.missing();
        }
        try (Sandbox box = open(Policy.denyAll())) {
            return box instanceof JailBox jail
                    ? new Availability.Works(version(), jail.controls())
                    : new Availability.Missing("not a jail", "");
        } catch (NotEnforceable e) {
            return new Availability.Missing(e.reason(), e.remedy());
        }
    }

    @Override
    public void prepare() {
        if (Platform.linux()) {
            Kernel.getuid();
            Seccomp.filter(Architecture.current(), new Seccomp.Options(true, true));
            version();
            Group.HERE.available();
        }
    }

    @Override
    public int sweep() {
        return Platform.linux() ? Group.HERE.sweep() : 0;
    }

    @Override
    public Sandbox open(Policy policy) {
        if (!Platform.linux()) {
            throw new NotEnforceable("isolation", Platform.missing().reason());
        }
        Path bubblewrap =
                bubblewrap()
                        .orElseThrow(() ->
                                new NotEnforceable(
                                        "isolation",
                                        "bubblewrap (bwrap) is not installed",
                                        JailProblem.INSTALL));
        if (!Group.HERE.available()
                && policy.limits().cpus() != Math.rint(policy.limits().cpus())) {
            throw new NotEnforceable(
                    "cpus",
                    "a part of a processor can be granted by a cgroup only, and "
                            + Group.HERE.problem());
        }
        if (policy.memoryEnforcement() == Policy.MemoryEnforcement.TREE
                && !Group.HERE.available()) {
            throw new NotEnforceable(
                    "memory-enforcement",
                    "the policy wants memory bounded by a cgroup, but " + Group.HERE.problem());
        }
        return Boxes.open(() -> make(policy, bubblewrap));
    }

    private static Sandbox make(Policy policy, Path bubblewrap) {
        Leftovers.sweepOnce();
        Optional<Cgroup> cgroup = cgroup(policy);
        JailProcess process = JailProcess.start(policy, bubblewrap, cgroup);
        try {
            return JailBox.enter(policy, process);
        } catch (KernelException e) {
            process.closeAfter(e);
            throw new NotEnforceable(
                    "isolation", "The jail cannot be entered: " + e.getMessage(), e);
        } catch (RuntimeException e) {
            process.closeAfter(e);
            throw e;
        }
    }

    private static Optional<Cgroup> cgroup(Policy policy) {
        try {
            return Group.HERE.available()
                    ? Optional.of(Group.HERE.create(CgroupLimits.of(policy)))
                    : Optional.empty();
        } catch (UncheckedIOException e) {
            throw new NotEnforceable(
                    "memory", "No cgroup can be made for the box: " + e.getMessage(), e);
        }
    }
}
