package dev.glovebox.sandbox.docker;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which engine boxes stand on, and what they are made of.
 *
 * @param host where the engine listens; empty: the usual place
 * @param certificates folder of {@code ca.pem}, {@code cert.pem} and {@code key.pem}, for an engine
 *     behind TLS
 * @param image what boxes are made of; its Python runs the holder
 * @param gvisorRuntime what the engine calls gVisor
 * @param pool how many boxes of a kind stand by, once the tier was prepared
 */
public record Settings(
        Optional<URI> host,
        Optional<Path> certificates,
        String image,
        String gvisorRuntime,
        int pool) {

    private static final String DEFAULT_IMAGE = "python:3-slim";
    private static final int DEFAULT_POOL = 2;
    private static final URI UNREADABLE = URI.create("unreadable://address");

    /** By system properties, then by environment variables, then as usual. */
    public static Settings ofSystem() {
        return of(System.getenv());
    }

    static Settings of(Map<String, String> env) {
        boolean tls = env.getOrDefault("DOCKER_TLS_VERIFY", "").matches("1|true");
        return new Settings(
                given(env, "glovebox.container.host", "DOCKER_HOST")
                        .or(Settings::usualHost)
                        .map(Settings::uri),
                tls
                        ? Optional.of(
                                Path.of(
                                        env.getOrDefault(
                                                "DOCKER_CERT_PATH",
                                                System.getProperty("user.home") + "/.docker")))
                        : Optional.empty(),
                given(env, "glovebox.container.image", "GLOVEBOX_CONTAINER_IMAGE")
                        .orElse(DEFAULT_IMAGE),
                given(env, "glovebox.gvisor.runtime", "GLOVEBOX_GVISOR_RUNTIME").orElse("runsc"),
                given(env, "glovebox.container.pool", "GLOVEBOX_CONTAINER_POOL")
                        .filter(text -> text.matches("\\d{1,3}"))
                        .map(Integer::valueOf)
                        .orElse(DEFAULT_POOL));
    }

    /** Whoever asks the engine is told of an address that is none. */
    private static URI uri(String address) {
        try {
            URI uri = URI.create(address);
            return uri.isAbsolute() ? uri : UNREADABLE;
        } catch (IllegalArgumentException e) {
            return UNREADABLE;
        }
    }

    private static Optional<String> given(Map<String, String> env, String property, String name) {
        return Stream.of(System.getProperty(property, ""), env.getOrDefault(name, ""))
                .filter(text -> !text.isBlank())
                .findFirst();
    }

    /** The sockets of Docker and Podman, of the system or of this user. */
    private static Optional<String> usualHost() {
        String runtime = System.getenv().getOrDefault("XDG_RUNTIME_DIR", "/nowhere");
        return Stream.of(
                        "/var/run/docker.sock",
                        runtime + "/docker.sock",
                        runtime + "/podman/podman.sock",
                        "/run/podman/podman.sock")
                .filter(socket -> Files.exists(Path.of(socket)))
                .map(socket -> "unix://" + socket)
                .findFirst();
    }

    /** Whether the engine is on this machine, so that its paths and processes are ours. */
    boolean local() {
        return host.filter(uri -> "unix".equals(uri.getScheme())).isPresent();
    }

    public Settings withImage(String other) {
        return new Settings(host, certificates, other, gvisorRuntime, pool);
    }

    public Settings withHost(URI other) {
        return new Settings(Optional.of(other), certificates, image, gvisorRuntime, pool);
    }

    public Settings withPool(int other) {
        return new Settings(host, certificates, image, gvisorRuntime, other);
    }
}
