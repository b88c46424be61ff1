package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Interpreter;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Receipt;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Availability;
import dev.glovebox.sandbox.spi.Tier;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is special about the container tier: what it refuses, its pool, what its receipt tells. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ContainerTierTest {

    private static final Policy POLICY = Policy.denyAll().isolation(Isolation.CONTAINER);

    @BeforeEach
    void anEngineIsHere() {
        assumeTrue(TestEngine.HOST.isPresent(), "No container engine can be had here");
    }

    @Test
    void theJailIsChosenBeforeAContainerAndAContainerBeforeGvisor() {
        List<String> names = Sandboxes.tiers().stream().map(Tier::name).toList();
        assertThat(names).containsSubsequence("jail", "container", "gvisor");
        assertThat(Isolation.GVISOR.atLeast(TestEngine.CONTAINER.isolation())).isTrue();
    }

    @Test
    void aBoxIsMadeOfTheImageThatItsPolicyNames(@TempDir Path folder) throws Exception {
        String other = "glovebox-test:other";
        TestImage.derive(TestEngine.HOST.orElseThrow(), other, folder, "mark");
        Program look = Program.python("import os; print(os.path.exists('/mark'))");
        Receipt usual;
        try (Sandbox box = Sandboxes.openTier("container", POLICY, Language.PYTHON)) {
            assertThat(box.run(look).stdout().text()).isEqualTo("False\n");
            usual = box.run(look).receipt();
        }
        try (Sandbox box = Sandboxes.open(POLICY.image(other), Language.PYTHON)) {
            assertThat(box.run(look).stdout().text()).isEqualTo("True\n");
            Receipt receipt = box.run(look).receipt();
            assertThat(value(receipt, "image"))
                    .matches("sha256:[0-9a-f]{64}")
                    .isNotEqualTo(value(usual, "image"));
        }
    }

    @Test
    void anImageOfAPolicyThatIsNotThereIsNamedWithWhatToType() {
        assertThatThrownBy(() ->
                        Sandboxes.openTier(
                                "container", POLICY.image("no/such:one"), Language.PYTHON))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("no image 'no/such:one'")
                .hasMessageContaining("docker pull no/such:one");
    }

    @Test
    void wallsThatAreNotMadeOfImagesRefuseOne() {
        for (String tier : List.of("jail", "process")) {
            Policy policy = Policy.denyAll().isolation(Isolation.PROCESS).image(TestImage.NAME);
            assertThatThrownBy(() -> Sandboxes.openTier(tier, policy))
                    .isInstanceOf(NotEnforceable.class)
                    .hasMessageContaining("not made of images");
        }
    }

    @Test
    void theReceiptNamesTheImageByItsDigestAndWhatTheEngineMadeOfIt() {
        try (Sandbox box = TestEngine.CONTAINER.open(POLICY)) {
            Receipt receipt = box.run(Program.python("print(42)")).receipt();
            assertThat(receipt.tierVersion()).containsPattern("\\d+\\.\\d+");
            assertThat(value(receipt, "image")).matches("sha256:[0-9a-f]{64}");
            for (String none : List.of("network", "capabilities", "logs")) {
                assertThat(value(receipt, none)).isEqualTo("none");
            }
            assertThat(value(receipt, "no-new-privileges")).isEqualTo("on");
            assertThat(value(receipt, "seccomp")).startsWith("allow-list of");
            assertThat(value(receipt, "disk-rate")).isEqualTo("nothing to write to");
        }
    }

    private static String value(Receipt receipt, String control) {
        return receipt.control(control).orElseThrow().value();
    }

    @Test
    void everyLanguageOfTheImageIsThere() {
        for (Language language : Language.values()) {
            assertThat(TestEngine.CONTAINER.interpreter(language, POLICY))
                    .map(Interpreter::version)
                    .hasValueSatisfying(version -> assertThat(version).matches("\\d+\\..*"));
        }
        Policy other = POLICY.runtime(Language.PYTHON, Path.of("/usr/bin/env"));
        assertThat(TestEngine.CONTAINER.interpreter(Language.PYTHON, other))
                .map(interpreter -> interpreter.path().toString())
                .contains("/usr/bin/env");
        Policy missing = POLICY.runtime(Language.PYTHON, Path.of("/opt/no/python"));
        assertThat(TestEngine.CONTAINER.interpreter(Language.PYTHON, missing)).isEmpty();
    }

    @Test
    void hostsThatAPolicyAllowsAreRefusedBeforeAnythingRuns() {
        assertThatThrownBy(() -> TestEngine.CONTAINER.open(POLICY.allow("example.com", 443)))
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo("network"));
    }

    @Test
    void filesOfThisMachineAreRefusedOnAnother(@TempDir Path folder) {
        Settings remote = TestEngine.settings().withHost(URI.create("tcp://127.0.0.1:1"));
        Policy policy = POLICY.grant(new FileGrant(folder, "/data", FileGrant.Mode.READ));
        assertThatThrownBy(() -> new ContainerTier(remote).open(policy))
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo("files"));
    }

    @Test
    void anImageThatIsNotThereIsNamedWithWhatToType() {
        Tier tier = new ContainerTier(TestEngine.settings().withImage("glovebox-no-such:image"));
        assertThat(tier.probe())
                .isInstanceOfSatisfying(
                        Availability.Missing.class,
                        missing -> {
                            assertThat(missing.reason()).contains("glovebox-no-such:image");
                            assertThat(missing.remedy()).contains("docker pull");
                        });
        assertThat(tier.interpreter(Language.PYTHON, POLICY)).isEmpty();
    }

    @Test
    void anEngineThatIsNotThereIsNamedWithWhatToType() {
        Tier tier =
                new ContainerTier(
                        TestEngine.settings().withHost(URI.create("unix:///nowhere/engine.sock")));
        assertThat(tier.probe())
                .isInstanceOfSatisfying(
                        Availability.Missing.class,
                        missing -> assertThat(missing.remedy()).contains("docker.io"));
        assertThat(tier.sweep()).isZero();
    }

    @Test
    void boxesThatStandByAreUsedOnceAndAreFresh() {
        ContainerTier tier = new ContainerTier(TestEngine.settings().withPool(2));
        tier.prepare();
        for (int i = 0; i < 4; i++) {
            try (Sandbox box = tier.open(POLICY)) {
                assertThat(box.files().list("")).isEmpty();
                assertThat(box.run(Program.bash("echo x > file; echo $$")).outcome())
                        .isEqualTo(new Outcome.Exited(0));
            }
        }
    }

    @Test
    void theEnvironmentSaysWhichEngineAndWhichImage() {
        Settings settings =
                Settings.of(
                        Map.of(
                                "DOCKER_HOST",
                                "tcp://engine.example:2376",
                                "DOCKER_TLS_VERIFY",
                                "1",
                                "DOCKER_CERT_PATH",
                                "/certificates",
                                "GLOVEBOX_CONTAINER_POOL",
                                "7"));
        assertThat(settings.certificates()).contains(Path.of("/certificates"));
        assertThat(settings.pool()).isEqualTo(7);
        assertThat(settings.withHost(URI.create("tcp://engine.example:2376")).local()).isFalse();
    }
}
