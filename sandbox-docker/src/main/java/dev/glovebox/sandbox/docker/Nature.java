package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.model.Info;
import com.github.dockerjava.api.model.Version;
import dev.glovebox.sandbox.NotEnforceable;
import java.util.List;
import java.util.Optional;

/**
 * What an engine is, as far as its boxes depend on it.
 *
 * @param title what a receipt says of it
 * @param rootless whether it runs as an ordinary user
 * @param unbounded the control that it says it cannot enforce, if any
 */
record Nature(Dialect dialect, String title, boolean rootless, Optional<String> unbounded) {

    private static final String REMEDY =
            "Use a machine with cgroup v2 whose controllers cpu, memory and pids, and io where boxes may"
                    + " write to folders, are delegated to the engine's user, with systemd as its"
                    + " cgroup manager; or name an engine with root by DOCKER_HOST";

    static Nature of(Version version, Info info) {
        boolean podman =
                Optional.ofNullable(version.getComponents()).orElse(List.of()).stream()
                        .anyMatch(part -> String.valueOf(part.getName()).contains("Podman"));
        Dialect dialect = podman ? new PodmanDialect(EngineFiles.OURS) : new DockerDialect();
        boolean rootless = rootless(info);
        String title = dialect.title(version) + (rootless ? ", without root" : "");
        return new Nature(dialect, title, rootless, unbounded(dialect, info));
    }

    /** Podman says it in a word of its own. */
    private static boolean rootless(Info info) {
        List<String> options =
                info.getSecurityOptions() == null ? List.of() : info.getSecurityOptions();
        return options.contains("name=rootless")
                || Boolean.TRUE.equals(info.getRawValues().get("Rootless"));
    }

    /**
     * In cgroup v1 only root can bound anything, whatever the engine says of itself. In v2 Podman
     * 4.3 denies that there is a quota of processors, and sets it all the same.
     */
    private static Optional<String> unbounded(Dialect dialect, Info info) {
        if (Boolean.FALSE.equals(info.getMemoryLimit())
                || (rootless(info) && "1".equals(info.getCGroupVersion()))) {
            return Optional.of("memory");
        }
        if (Boolean.FALSE.equals(info.getRawValues().get("PidsLimit"))) {
            return Optional.of("processes");
        }
        boolean wrong = !dialect.believed() && "2".equals(info.getCGroupVersion());
        return Boolean.FALSE.equals(info.getCpuCfsQuota()) && !wrong
                ? Optional.of("cpus")
                : Optional.empty();
    }

    /**
     * Refuses the engine if it cannot make boxes.
     *
     * @throws NotEnforceable naming the control
     */
    void require(Wall wall, Settings settings) {
        dialect.require(wall, settings.local());
        unbounded.ifPresent(control -> {
            throw new NotEnforceable(
                    control,
                    "the engine "
                            + (rootless ? "runs without root and " : "")
                            + "has no cgroups to bound '"
                            + control
                            + "' with",
                    REMEDY);
        });
    }

    /** What helps where nothing bounds its boxes; nothing is known to help an engine with root. */
    String remedy() {
        return rootless ? REMEDY : "";
    }

    /** An engine without root may ask for more than it is given. */
    boolean believed() {
        return dialect.believed() && !rootless;
    }
}
