package dev.glovebox.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.internal.ProcessTier;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What a wall of one's own is held to. */
class SandboxesTest {

    private static final Policy POLICY = Policy.denyAll();

    private final AtomicInteger opened = new AtomicInteger();
    private final Tier own = new OwnTier();

    /** It has bash and no network, and its boxes are processes. */
    private final class OwnTier implements Tier {

        private final Tier process = new ProcessTier();

        @Override
        public String name() {
            return "own";
        }

        @Override
        public Isolation isolation() {
            return Isolation.JAIL;
        }

        @Override
        public Duration typicalStart() {
            return process.typicalStart();
        }

        @Override
        public int sweep() {
            return 0;
        }

        @Override
        public Availability probe() {
            return process.probe();
        }

        @Override
        public Optional<Interpreter> interpreter(Language language, Policy policy) {
            return language == Language.BASH
                    ? Optional.of(new Interpreter(language, Path.of("/bin/bash"), "5"))
                    : Optional.empty();
        }

        @Override
        public void check(Policy policy) {
            if (!policy.network().isEmpty()) {
                throw new NotEnforceable("network", "there is none");
            }
        }

        @Override
        public Sandbox open(Policy policy) {
            opened.incrementAndGet();
            return process.open(policy);
        }
    }

    @Test
    void aWallOfOnesOwnIsUsedAsItIs() {
        assumeTrue(own.probe() instanceof Availability.Works, "no processes here");
        Policy trusting = POLICY.isolation(Isolation.PROCESS);
        try (Sandbox box = Sandboxes.openTier(own, trusting, Language.BASH)) {
            assertThat(box.run(Program.bash("echo here")).stdout().text()).isEqualTo("here\n");
        }
        assertThat(opened).hasValue(1);
    }

    @Test
    void aWallOfOnesOwnIsHeldToThePolicyLikeThoseThatAreFound() {
        assumeTrue(own.probe() instanceof Availability.Works, "no processes here");
        assertRefused("isolation", POLICY.isolation(Isolation.CONTAINER), "weaker than");
        assertRefused("image", POLICY.image("python:3-slim"), "not made of images");
        assertRefused("network", POLICY.allow("example.com", 443), "there is none");
        assertRefused("runtime", POLICY, "no interpreter for [python]", Language.PYTHON);
    }

    private void assertRefused(String control, Policy policy, String why, Language... languages) {
        assertThatThrownBy(() -> Sandboxes.openTier(own, policy, languages))
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo(control))
                .hasMessageContaining("own: ")
                .hasMessageContaining(why);
        assertThat(opened).hasValue(0);
    }

    @Test
    void aNameThatNoWallHasIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> Sandboxes.openTier("own", POLICY))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("no tier 'own'")
                .hasMessageContaining("jail");
    }
}
