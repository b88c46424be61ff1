package dev.glovebox.sandbox.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class JailProblemTest {

    private static final String NO_NAMESPACE =
            "bwrap: Creating new namespace failed: Operation not permitted";
    private static final String NO_UID_MAP = "bwrap: setting up uid map: Permission denied";

    @Test
    void appArmorIsRecognisedByTheKernelsSetting() {
        JailProblem problem =
                of(
                        NO_UID_MAP,
                        Map.of("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"));
        assertThat(problem.reason()).contains("AppArmor").contains("uid map");
        assertThat(problem.remedy())
                .contains("sysctl kernel.apparmor_restrict_unprivileged_userns=0");
    }

    @Test
    void aKernelThatKeepsNamespacesFromUsersIsRecognised() {
        JailProblem problem =
                of(NO_NAMESPACE, Map.of("/proc/sys/kernel/unprivileged_userns_clone", "0"));
        assertThat(problem.remedy()).contains("sysctl kernel.unprivileged_userns_clone=1");
    }

    @Test
    void namespacesThatAreSwitchedOffAreRecognised() {
        JailProblem problem = of(NO_NAMESPACE, Map.of("/proc/sys/user/max_user_namespaces", "0"));
        assertThat(problem.remedy()).contains("sysctl user.max_user_namespaces");
    }

    @Test
    void theFilterOfAContainerAroundUsIsRecognised() {
        JailProblem problem =
                of(NO_NAMESPACE, Map.of("/proc/self/status", "Name:\tjava\nSeccomp:\t2\n"));
        assertThat(problem.reason()).contains("container around this process");
    }

    @Test
    void anOldBubblewrapIsNotTakenForAForbiddenNamespace() {
        JailProblem problem =
                of("bwrap: Unknown option --size", Map.of("/proc/self/status", "Seccomp:\t2"));
        assertThat(problem.reason()).contains("too old");
        assertThat(problem.remedy()).contains("0.7");
    }

    @Test
    void aHostPathThatCannotBeReachedIsTheFilesFault() {
        JailProblem problem =
                of(
                        "bwrap: Can't find source path /srv/data: Permission denied",
                        Map.of("/proc/sys/user/max_user_namespaces", "0"));
        assertThat(problem.control()).isEqualTo("files");
        assertThat(problem.reason()).contains("/srv/data");
        assertThat(problem.remedy()).doesNotContain("sysctl");
    }

    @Test
    void aLimitAboveTheMachinesOwnIsNamedAsSuch() {
        JailProblem problem =
                of(
                        "holder: line 3: ulimit: open files: cannot modify limit: Operation not permitted",
                        Map.of());
        assertThat(problem.control()).isEqualTo("limits");
    }

    @Test
    void whatIsNotKnownIsStillSaid() {
        assertThat(of("bwrap: something new", Map.of()).exception())
                .hasMessageContaining("something new")
                .hasMessageContaining("glovebox doctor");
        assertThat(of("", Map.of()).reason()).contains("nothing");
    }

    private static JailProblem of(String complaint, Map<String, String> files) {
        return JailProblem.of(complaint, file -> Optional.ofNullable(files.get(file)));
    }
}
