package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.BindOptions;
import com.github.dockerjava.api.model.BindPropagation;
import com.github.dockerjava.api.model.BlkioRateDevice;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.Ulimit;
import dev.glovebox.sandbox.FileGrant;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What the engine is asked for; what it made of it is read back before anything runs.
 *
 * @param name what is made beside the container is called so
 * @param runtime the engine's name for what runs the container; empty: its default
 */
record Creation(
        Dialect dialect,
        String name,
        Wall wall,
        ContainerSpec spec,
        int uid,
        Optional<String> runtime,
        Map<String, String> labels) {

    private static final long PERIOD_MICROS = 100_000;

    /**
     * In cgroup v1 what is under way in connections is counted apart, and engines do not bound it:
     * so at least each connection holds little.
     */
    private static final Map<String, String> SMALL_BUFFERS =
            Map.of(
                    "net.ipv4.tcp_wmem", "4096 16384 32768",
                    "net.ipv4.tcp_rmem", "4096 16384 32768");

    static Creation of(
            Dialect dialect,
            Wall wall,
            ContainerSpec spec,
            int uid,
            Optional<String> runtime,
            Owner owner) {
        String name = "glovebox-" + UUID.randomUUID();
        return new Creation(dialect, name, wall, spec, uid, runtime, owner.labels());
    }

    CreateContainerCmd command(DockerClient client) {
        String user = uid + ":" + uid;
        return client.createContainerCmd(spec.image())
                .withEntrypoint(spec.command().getFirst())
                .withCmd(spec.command().subList(1, spec.command().size()))
                .withUser(user)
                .withWorkingDir("/")
                .withHostName("box")
                .withEnv(
                        Stream.of(Launch.environment(), dialect.environment())
                                .flatMap(some -> some.entrySet().stream())
                                .map(entry -> entry.getKey() + "=" + entry.getValue())
                                .sorted()
                                .toList())
                .withLabels(labels)
                .withNetworkDisabled(true)
                .withStdinOpen(true)
                // The end of our connection is the end of what the holder hears.
                .withStdInOnce(true)
                .withAttachStdin(true)
                .withAttachStdout(true)
                .withAttachStderr(true)
                .withTty(false)
                .withHostConfig(hostConfig());
    }

    private HostConfig hostConfig() {
        HostConfig config =
                HostConfig.newHostConfig()
                        .withNetworkMode("none")
                        .withIpcMode("none")
                        .withCgroupnsMode("private")
                        .withInit(true)
                        .withReadonlyRootfs(true)
                        .withPrivileged(false)
                        .withCapDrop(Capability.ALL)
                        .withSecurityOpts(
                                List.of("no-new-privileges", "seccomp=" + dialect.filter(spec)))
                        .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE, Map.of()))
                        .withMemory(spec.memory())
                        .withMemorySwap(spec.memory())
                        .withPidsLimit(spec.processes(wall))
                        .withCpuPeriod(PERIOD_MICROS)
                        .withCpuQuota(Math.round(spec.limits().cpus() * PERIOD_MICROS))
                        .withUlimits(
                                List.of(new Ulimit("core", 0L, 0L), new Ulimit("msgqueue", 0L, 0L)))
                        .withMounts(spec.files().stream().map(Creation::mount).toList())
                        .withBlkioDeviceWriteBps(rates());
        runtime.ifPresent(config::withRuntime);
        dialect.complete(config, this);
        return wall == Wall.GVISOR ? config : config.withSysctls(SMALL_BUFFERS);
    }

    /** Files of this machine are shown by an engine on it only, whose devices are ours. */
    private List<BlkioRateDevice> rates() {
        return spec.disks().known().stream()
                .filter(disk -> Files.exists(Path.of(disk.path())))
                .map(disk ->
                        new BlkioRateDevice()
                                .withPath(disk.path())
                                .withRate(spec.limits().diskRate().count()))
                .toList();
    }

    private static Mount mount(FileGrant grant) {
        return new Mount()
                .withType(MountType.BIND)
                .withSource(grant.current().toString())
                .withTarget(grant.box())
                .withReadOnly(grant.mode() == FileGrant.Mode.READ)
                .withBindOptions(new BindOptions().withPropagation(BindPropagation.R_PRIVATE));
    }
}
