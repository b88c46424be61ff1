package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Execution;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An engine that is killed, or that hangs, while a program runs on it: nobody waits for it. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EngineGoneTest {

    private static final Policy POLICY = Policy.denyAll().isolation(Isolation.CONTAINER);
    private static final Duration SOON = Duration.ofSeconds(2);

    private static PrivateEngine engine() {
        try {
            PrivateEngine engine = PrivateEngine.start();
            TestImage.ensure(engine.host());
            return engine;
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static Settings settings(PrivateEngine engine) {
        return TestEngine.settings().withHost(URI.create(engine.host())).withImage(TestImage.NAME);
    }

    @Test
    void anEngineThatIsKilledEndsItsProgramsWithATypedOutcomeAtOnce() throws Exception {
        try (PrivateEngine engine = engine()) {
            ContainerTier tier = new ContainerTier(settings(engine));
            Sandbox box = tier.open(POLICY);
            CountDownLatch heard = new CountDownLatch(1);
            Execution execution =
                    box.start(Program.bash("echo begun; sleep 100"), chunk -> heard.countDown());
            assertThat(heard.await(30, TimeUnit.SECONDS)).isTrue();
            engine.kill();
            long killed = System.nanoTime();
            Outcome outcome = execution.await().outcome();
            assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(SOON);
            assertThat(outcome).isInstanceOf(Outcome.Unknown.class);
            assertThatThrownBy(() -> box.run(Program.bash("true"))).isInstanceOf(BoxGone.class);
            assertThatThrownBy(() -> box.files().read("main.sh")).isInstanceOf(BoxGone.class);
            box.close();
            assertThatThrownBy(() -> tier.open(POLICY)).isInstanceOf(NotEnforceable.class);
            assertThat(tier.probe()).isInstanceOf(Availability.Missing.class);
        }
    }

    @Test
    void anEngineThatHangsHoldsNobodyUp() throws Exception {
        try (PrivateEngine engine = engine()) {
            ContainerTier tier = new ContainerTier(settings(engine));
            Sandbox box = tier.open(POLICY.wall(Duration.ofSeconds(1)));
            engine.stop();
            try {
                long start = System.nanoTime();
                Execution execution = box.start(Program.command("sleep", "100"), chunk -> {});
                assertThat(execution.await().outcome())
                        .isEqualTo(new Outcome.TimedOut(Duration.ofSeconds(1)));
                box.close();
                // The wall time, and what is given to the box and then to its engine.
                assertThat(Duration.ofNanos(System.nanoTime() - start))
                        .isLessThan(Duration.ofSeconds(15));
                assertThatThrownBy(() -> tier.open(POLICY)).isInstanceOf(NotEnforceable.class);
            } finally {
                engine.goOn();
            }
        }
    }

    @Test
    void whatACrashedJvmLeftIsSwept() throws Exception {
        try (PrivateEngine engine = engine()) {
            Engine raw = new Engine(settings(engine));
            String image = raw.image(TestImage.NAME).orElseThrow();
            Owner dead = new Owner(Owner.self().machine(), ProcessHandle.current().pid(), 1);
            ContainerSpec spec = ContainerSpec.of(image, POLICY);
            raw.create(
                    Creation.of(
                            raw.nature().dialect(),
                            Wall.CONTAINER,
                            spec,
                            30_000,
                            java.util.Optional.empty(),
                            dead));
            ContainerTier tier = new ContainerTier(settings(engine));
            Sandbox alive = tier.open(POLICY);
            assertThat(tier.sweep() + raw.containers(java.util.List.of(Owner.LABEL)).size())
                    .isGreaterThanOrEqualTo(1);
            assertThat(raw.containers(java.util.List.of(Owner.LABEL))).hasSize(1);
            assertThat(alive.run(Program.bash("echo on")).stdout().text()).isEqualTo("on\n");
            alive.close();
        }
    }
}
