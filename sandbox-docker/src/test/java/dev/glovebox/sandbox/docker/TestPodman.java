package dev.glovebox.sandbox.docker;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.spi.Tier;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** A Podman of the tests' own, where they may start one. */
final class TestPodman {

    private static final Optional<PrivateEngine> ENGINE = find();
    private static final Optional<Tier> TIER =
            ENGINE.map(engine -> new ContainerTier(settings(engine)));

    private TestPodman() {}

    private static Optional<PrivateEngine> find() {
        try {
            PrivateEngine engine = PrivateEngine.podman();
            Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
            TestImage.ensure(engine.host());
            return Optional.of(engine);
        } catch (IOException | RuntimeException e) {
            // A Podman that does not start, or takes no image, as some do in containers.
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Skips the test where there is none. */
    static Tier tier() {
        assumeTrue(TIER.isPresent(), "No Podman can be started here");
        return TIER.orElseThrow();
    }

    static PrivateEngine engine() {
        tier();
        return ENGINE.orElseThrow();
    }

    static Settings settings() {
        return settings(engine());
    }

    static Settings settings(PrivateEngine engine) {
        return TestEngine.settings().withHost(URI.create(engine.host())).withImage(TestImage.NAME);
    }
}
