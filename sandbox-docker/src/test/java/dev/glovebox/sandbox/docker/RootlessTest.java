package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A real engine without root: what it cannot bound is refused by name, and nothing runs. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RootlessTest {

    private static final Policy POLICY = Policy.denyAll().isolation(Isolation.CONTAINER);
    private static final List<String> BOUNDED = List.of("memory", "processes", "cpus");

    private static PrivateEngine start(RootlessEngine kind) {
        try {
            return kind.start();
        } catch (IOException e) {
            assumeTrue(false, e.getMessage());
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anEngineWithoutRootBoundsItsBoxesOrIsRefusedByTheNameOfTheControl(RootlessEngine kind)
            throws Exception {
        try (PrivateEngine engine = start(kind)) {
            TestImage.ensure(engine.host());
            Settings settings = TestPodman.settings(engine);
            ContainerTier tier = new ContainerTier(settings);
            if (Files.exists(Path.of("/sys/fs/cgroup/cgroup.controllers"))) {
                bounds(tier);
                return;
            }
            assertThatThrownBy(() -> tier.open(POLICY))
                    .isInstanceOfSatisfying(
                            NotEnforceable.class,
                            e -> {
                                assertThat(e.control()).isEqualTo("memory");
                                assertThat(e.reason()).contains("without root");
                                assertThat(e.remedy()).contains("cgroup v2");
                            });
            assertThat(tier.probe())
                    .isInstanceOfSatisfying(
                            Availability.Missing.class,
                            missing -> assertThat(missing.remedy()).contains("cgroup v2"));
            if (kind == RootlessEngine.PODMAN) {
                theKernelIsBelievedAndNotTheEngine(new Engine(settings));
            }
        }
    }

    /** What is delegated to the engine's user is the machine's affair: nothing runs unbounded. */
    private static void bounds(ContainerTier tier) {
        try (Sandbox box = tier.open(POLICY)) {
            Result result = box.run(Program.python("print(42)"));
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(result.receipt().tierVersion()).contains("without root");
            for (String control : BOUNDED) {
                assertThat(result.receipt().control(control).orElseThrow().by())
                        .contains("cgroup v2");
            }
        } catch (NotEnforceable e) {
            assertThat(e.control())
                    .isIn(Stream.concat(BOUNDED.stream(), Stream.of("isolation")).toList());
            assertThat(e.remedy()).contains("cgroup v2");
        }
    }

    /** Podman says that it can bound all; a box of it tells another. */
    private static void theKernelIsBelievedAndNotTheEngine(Engine engine) {
        Nature claimed = new Nature(engine.nature().dialect(), "", true, Optional.empty());
        ContainerSpec spec = ContainerSpec.of(engine.image(TestImage.NAME).orElseThrow(), POLICY);
        int uid = 30_000;
        EngineContainer vessel =
                EngineContainer.start(
                        engine,
                        Creation.of(
                                claimed.dialect(),
                                Wall.CONTAINER,
                                spec,
                                uid,
                                Optional.empty(),
                                Owner.self()));
        try (Holder holder = new Holder(vessel.line(), 1 << 20)) {
            Facts facts = holder.greeting(Duration.ofSeconds(30)).orElseThrow();
            assertThatThrownBy(() ->
                            Readback.verify(
                                    Wall.CONTAINER,
                                    claimed,
                                    facts,
                                    spec,
                                    uid,
                                    engine.inspect(vessel.id())))
                    .isInstanceOfSatisfying(
                            NotEnforceable.class, e -> assertThat(e.control()).isEqualTo("memory"));
        } finally {
            vessel.remove();
        }
    }
}
