package dev.glovebox.sandbox.docker;

import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import com.github.dockerjava.api.model.Ulimit;
import com.github.dockerjava.api.model.Version;
import com.github.dockerjava.api.model.VolumeOptions;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.spi.SeccompProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Podman's words, as of version 4.3. It takes rules on system calls as a file of its own machine
 * only, knows neither the user nor the number of files of a tmpfs, and lets nobody listen to a
 * container that does not run.
 *
 * @param files where it reads what it takes as files
 */
record PodmanDialect(EngineFiles files) implements Dialect {

    /** It puts writable folders there, without a bound of their own, unless somebody else does. */
    private static final List<String> COVERED = List.of("/run", "/var/tmp");

    private static final String NOTHING = "ro,noexec,nosuid,nodev,size=4096,mode=0555";

    private static final String HOSTS_PLACE = "/etc/hosts";

    /** Without this a box would see the names that the host knows. */
    private static final String HOSTS = "127.0.0.1 localhost box\n::1 localhost\n";

    /** It would ask for a million each, which an engine with bounds of its own cannot give. */
    private static final long ENOUGH = 1024;

    private static final int PAGE = 4096;

    @Override
    public String program() {
        return "podman";
    }

    @Override
    public String title(Version version) {
        return "Podman " + version.getVersion() + ", Docker API " + version.getApiVersion();
    }

    @Override
    public void require(Wall wall, boolean local) {
        if (wall == Wall.GVISOR) {
            throw new NotEnforceable(
                    "isolation",
                    "gVisor is not used through Podman",
                    "Name a Docker engine that has runsc with DOCKER_HOST, or install runsc alone");
        }
        if (!local) {
            throw new NotEnforceable(
                    "seccomp",
                    "Podman takes rules on system calls only as a file of its own machine, and this"
                            + " one is on another",
                    "Name a Docker engine with DOCKER_HOST, or Podman's socket on this machine");
        }
    }

    @Override
    public String filter(ContainerSpec spec) {
        return files.of(SeccompProfile.json(spec.files().isEmpty())).toString();
    }

    /** It would say of itself what the host's terminal may be. */
    @Override
    public Map<String, String> environment() {
        return Map.of("TERM", "dumb");
    }

    @Override
    public void complete(HostConfig config, Creation creation) {
        ContainerSpec spec = creation.spec();
        config.withTmpFs(Map.of(COVERED.getFirst(), NOTHING, COVERED.getLast(), NOTHING));
        config.withUlimits(
                Stream.concat(
                                Stream.of(config.getUlimits()),
                                Stream.of(
                                        ulimit("nofile", spec.limits().openFiles()),
                                        ulimit("nproc", spec.processes(creation.wall()))))
                        .toList());
        List<Mount> mounts =
                new ArrayList<>(config.getMounts() == null ? List.of() : config.getMounts());
        mounts.add(
                new Mount()
                        .withType(MountType.VOLUME)
                        .withSource(creation.name())
                        .withTarget(ContainerSpec.TMP)
                        .withVolumeOptions(new VolumeOptions().withNoCopy(true)));
        mounts.add(
                new Mount()
                        .withType(MountType.BIND)
                        .withSource(files.of(HOSTS).toString())
                        .withTarget(HOSTS_PLACE)
                        .withReadOnly(true));
        config.withMounts(mounts);
    }

    private static Ulimit ulimit(String name, long least) {
        long value = Math.max(ENOUGH, least);
        return new Ulimit(name, value, value);
    }

    /** In blocks: a size would be one of the disk's quota to it. */
    @Override
    public Optional<Map<String, String>> scratch(Creation creation) {
        long blocks = Math.ceilDiv(creation.spec().limits().disk().count(), PAGE);
        String options =
                "mode=0700,nosuid,nodev,nr_blocks="
                        + blocks
                        + ",nr_inodes="
                        + creation.spec().scratchInodes()
                        + ",uid="
                        + creation.uid()
                        + ",gid="
                        + creation.uid();
        return Optional.of(Map.of("type", "tmpfs", "device", "tmpfs", "o", options));
    }

    /** Nothing is lost in between: the holder is silent until it is spoken to. */
    @Override
    public Line start(Engine engine, String container) {
        engine.start(container);
        return engine.attach(container);
    }

    /** The scratch and the names. */
    @Override
    public int ownPlaces() {
        return 2;
    }

    @Override
    public boolean believed() {
        return false;
    }
}
