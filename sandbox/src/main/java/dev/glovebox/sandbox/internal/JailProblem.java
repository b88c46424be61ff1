package dev.glovebox.sandbox.internal;

import dev.glovebox.sandbox.NotEnforceable;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;

/**
 * Why a jail could not be built here, and what to do about it, told from what bubblewrap or the
 * holder said last and from the kernel's settings.
 */
record JailProblem(String control, String reason, String remedy) {

    static final String INSTALL =
            "Install it: apt install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap, or"
                    + " apk add bubblewrap bash";

    private static final String KERNEL = "/proc/sys/kernel/";

    static JailProblem of(String complaint) {
        return of(complaint, file -> Proc.read(Path.of(file)).map(String::strip));
    }

    /**
     * Recognises the problem.
     *
     * @param facts reads a file of this machine, if it is there
     */
    static JailProblem of(String complaint, Function<String, Optional<String>> facts) {
        String said = " (it said: " + complaint.lines().findFirst().orElse("nothing") + ")";
        if (complaint.contains("Can't find source path")
                || complaint.contains("Can't bind mount")) {
            return new JailProblem(
                    "files",
                    "A host path of the policy cannot be shown" + said,
                    "Every folder on the way to it must be open to the box's user: the caller, or nobody in"
                            + " particular if the caller is root");
        }
        if (complaint.contains("Unknown option")) {
            return new JailProblem(
                    "isolation",
                    "This bubblewrap is too old" + said,
                    "Install bubblewrap 0.7 or newer");
        }
        if (complaint.contains("ulimit:")) {
            return new JailProblem(
                    "limits",
                    "A limit of the policy is above this machine's own" + said,
                    "Ask for less in the policy");
        }
        if (!complaint.contains("namespace")
                && !complaint.contains("uid map")
                && !complaint.contains("Operation not permitted")) {
            return new JailProblem(
                    "isolation", "The jail could not be set up" + said, "Run: glovebox doctor");
        }
        return namespaces(said, facts);
    }

    private static JailProblem namespaces(String said, Function<String, Optional<String>> facts) {
        if (facts.apply(KERNEL + "apparmor_restrict_unprivileged_userns")
                .equals(Optional.of("1"))) {
            return new JailProblem(
                    "namespaces",
                    "AppArmor restricts user namespaces on this distribution" + said,
                    "Install its profile for bubblewrap (package apparmor-profiles, file bwrap-userns-restrict),"
                            + " or type: sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0");
        }
        if (facts.apply(KERNEL + "unprivileged_userns_clone").equals(Optional.of("0"))) {
            return new JailProblem(
                    "namespaces",
                    "This kernel forbids user namespaces to ordinary users" + said,
                    "Type: sudo sysctl kernel.unprivileged_userns_clone=1");
        }
        if (facts.apply("/proc/sys/user/max_user_namespaces").equals(Optional.of("0"))) {
            return new JailProblem(
                    "namespaces",
                    "User namespaces are switched off here" + said,
                    "Type: sudo sysctl user.max_user_namespaces=15000");
        }
        boolean filtered =
                facts.apply("/proc/self/status")
                        .filter(text -> text.contains("Seccomp:\t2"))
                        .isPresent();
        if (filtered) {
            return new JailProblem(
                    "namespaces",
                    "The container around this process forbids namespaces by its own filter" + said,
                    "Start that container with a seccomp profile that allows user namespaces, or use a tier that"
                            + " needs none");
        }
        return new JailProblem(
                "namespaces",
                "This machine does not allow the namespaces of a jail" + said,
                "Run: glovebox doctor");
    }

    NotEnforceable exception() {
        return new NotEnforceable(control, reason, remedy);
    }
}
