package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Policy;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
final class JailProcessTest {

    @Test
    void whyAJailDoesNotStartIsToldAlsoWhereItsCgroupCannotBeRemoved() {
        Cgroups cgroups = Cgroups.discover();
        assumeTrue(cgroups.available(), cgroups.problem());
        Policy policy = Policy.denyAll();
        try (Cgroup group = cgroups.create(CgroupLimits.of(policy))) {
            int survivor = sleepIn(group);
            try {
                assertThatThrownBy(() ->
                                JailProcess.start(
                                        policy, Path.of("/bin/false"), Optional.of(group)))
                        .isInstanceOfSatisfying(
                                NotEnforceable.class,
                                e -> assertThat(e.control()).isEqualTo("isolation"))
                        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
            } finally {
                kill(survivor);
            }
        }
    }

    /** Not by {@link ProcessBuilder}, which leaves a thread of ours in the group. */
    private static int sleepIn(Cgroup group) {
        int nothing = Kernel.open("/dev/null", Kernel.O_RDWR);
        group.enter();
        try {
            int[] streams = {nothing, nothing, nothing};
            int sleep = Birth.spawn(List.of("/bin/sleep", "600"), List.of(), streams, "", true);
            group.attach(sleep);
            return sleep;
        } finally {
            group.leave();
            Kernel.close(nothing);
        }
    }

    private static void kill(int process) {
        int handle = Kernel.pidfd(process);
        Kernel.signal(handle, Kernel.SIGKILL);
        Kernel.close(handle);
        Kernel.reap(process);
    }
}
