package dev.glovebox.sandbox.docker;

import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The engine that tests use: the one that the environment names, or that is usual, or one of their
 * own where they may start one.
 */
final class TestEngine {

    static final Optional<String> HOST = find();

    static final Tier CONTAINER = new ContainerTier();
    static final Tier GVISOR = new GvisorTier();

    private TestEngine() {}

    private static Optional<String> find() {
        try {
            Optional<String> host =
                    Stream.of(System.getenv().getOrDefault("DOCKER_HOST", ""))
                            .filter(text -> !text.isEmpty())
                            .findFirst()
                            .or(() ->
                                    Optional.of("unix:///var/run/docker.sock")
                                            .filter(any ->
                                                    Files.exists(Path.of("/var/run/docker.sock"))))
                            .or(TestEngine::own);
            if (host.isPresent()) {
                System.setProperty("glovebox.container.host", host.get());
                System.setProperty("glovebox.container.image", TestImage.NAME);
                TestImage.ensure(host.get());
            }
            return host;
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static Optional<String> own() {
        try {
            PrivateEngine engine = PrivateEngine.start();
            Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
            return Optional.of(engine.host());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Settings settings() {
        return Settings.of(Map.of());
    }
}
