package dev.glovebox.sandbox.opensandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.glovebox.sandbox.BoxGone;
import dev.glovebox.sandbox.Control;
import dev.glovebox.sandbox.FileGrant;
import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.NotEnforceable;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.conformance.Walls;
import dev.glovebox.sandbox.spi.Availability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tier against a server that behaves. */
final class OpenSandboxTierTest {

    /** The server's boxes are jails. */
    @BeforeAll
    static void needsTheJail() {
        Walls.needed("jail");
    }

    private static final int KILLED = Boolean.getBoolean("glovebox.soak") ? 200 : 5;

    private final BoxServer server = new BoxServer();

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void aProgramRunsOnTheServerAndNothingIsLeftThere() {
        try (Sandbox box = server.tier().open(Policy.denyAll())) {
            Result result = box.run(Program.python("print(6 * 7)"));
            assertThat(result.outcome())
                    .as(result.stderr().text())
                    .isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).isEqualTo("42\n");
            assertThat(server.boxes).hasSize(1);
        }
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void boxesThatAreClosedWhileTheyRunLeaveNothingOnTheServer() {
        OpenSandboxTier tier = server.tier();
        for (int i = 0; i < KILLED; i++) {
            try (Sandbox box = tier.open(Policy.denyAll())) {
                box.start(Program.bash("sleep 60"), chunk -> {});
            }
            assertThat(server.boxes).isEmpty();
        }
    }

    @Test
    void afterATimeOutTheBoxGoesOn() {
        try (Sandbox box = server.tier().open(Policy.denyAll().wall(Duration.ofSeconds(1)))) {
            assertThat(box.run(Program.bash("echo kept > file; sleep 60")).outcome())
                    .isEqualTo(new Outcome.TimedOut(Duration.ofSeconds(1)));
            assertThat(box.run(Program.bash("cat file")).stdout().text()).isEqualTo("kept\n");
        }
    }

    @Test
    void aProgramThatKillsOurAgentHasAnUnknownEndAndLosesItsBox() {
        try (Sandbox box = server.tier().open(Policy.denyAll())) {
            assertThat(box.run(Program.bash("kill -9 $PPID; sleep 60")).outcome())
                    .isInstanceOf(Outcome.Unknown.class);
            assertThatThrownBy(() -> box.run(Program.bash("true"))).isInstanceOf(BoxGone.class);
        }
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void thePolicyIsWhatTheServerIsAskedFor() {
        try (Sandbox box = server.tier().open(Policy.denyAll().cpus(0.25))) {
            assertThat(box.tier()).isEqualTo("opensandbox");
            JsonNode asked = server.boxes.values().iterator().next().request();
            assertThat(asked.path("resourceLimits").path("cpu").asText()).isEqualTo("250m");
            assertThat(asked.path("resourceLimits").path("memory").asText()).isEqualTo("320Mi");
            assertThat(asked.path("networkPolicy").path("defaultAction").asText())
                    .isEqualTo("deny");
            assertThat(asked.path("networkPolicy").path("egress").isEmpty()).isTrue();
            assertThat(asked.path("timeout").asLong()).isBetween(60L, 120L);
        }
    }

    @Test
    void aBoxIsOfTheImageThatThePolicyNames() {
        OpenSandboxTier tier = server.tier();
        try (Sandbox usual = tier.open(Policy.denyAll());
                Sandbox other = tier.open(Policy.denyAll().image("other:1"))) {
            assertThat(server.boxes.values())
                    .extracting(held -> held.request().path("image").path("uri").asText())
                    .containsExactlyInAnyOrder("image", "other:1");
            assertThat(other.run(Program.bash("true")).receipt().tierVersion()).contains("other:1");
            assertThat(usual.run(Program.bash("true")).receipt().tierVersion())
                    .endsWith("image image");
        }
    }

    @Test
    void whyAnImageCannotBeHadIsTold() {
        server.trick =
                (exchange, path) -> {
                    BoxServer.refuse(exchange, 500, "DOCKER::SANDBOX_IMAGE_PULL_FAILED");
                    return true;
                };
        Policy policy = Policy.denyAll().image("other:1");
        assertThatThrownBy(() -> server.tier().interpreter(Language.BASH, policy))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining("IMAGE_PULL_FAILED");
    }

    @Test
    void whatNoServerCanEnforceIsRefusedBeforeAnythingIsSent(@TempDir Path folder) {
        Policy policy = Policy.denyAll();
        assertRefused("network", policy.allow("example.com", 443));
        assertRefused("files", policy.grant(new FileGrant(folder, "/data", FileGrant.Mode.READ)));
        assertRefused("runtime", policy.runtime(Language.BASH, Path.of("/bin/bash")));
        assertRefused("isolation", policy.isolation(Isolation.MICROVM));
        assertThat(server.keys).isEmpty();
    }

    private void assertRefused(String control, Policy policy) {
        OpenSandboxTier tier = server.tier();
        assertThatThrownBy(() -> tier.open(policy))
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo(control));
        assertThatThrownBy(() -> tier.check(policy)).isInstanceOf(NotEnforceable.class);
        assertThat(tier.interpreter(Language.BASH, policy)).isEmpty();
    }

    @Test
    void whoAsksForItByNameIsToldWhyAPolicyIsRefused() {
        Policy policy = Policy.denyAll().allow("example.com", 443);
        assertThatThrownBy(() -> Sandboxes.openTier("opensandbox", policy, Language.PYTHON))
                .isInstanceOfSatisfying(
                        NotEnforceable.class, e -> assertThat(e.control()).isEqualTo("network"))
                .hasMessageContaining("hosts, not ports");
    }

    @Test
    void memoryOfTheWholeTreeIsRefusedWhereTheBoxShowsNoCgroup() {
        Policy strict = Policy.denyAll().memoryEnforcement(Policy.MemoryEnforcement.TREE);
        assertThatThrownBy(() -> server.tier().open(strict))
                .isInstanceOfSatisfying(
                        NotEnforceable.class,
                        e -> assertThat(e.control()).isEqualTo("memory-enforcement"));
        assertThat(server.boxes).isEmpty();
    }

    // Only by name

    @Test
    void itIsThereButNeverChosen() {
        assertThat(Sandboxes.tiers())
                .filteredOn(tier -> tier.name().equals("opensandbox"))
                .singleElement()
                .satisfies(tier -> assertThat(tier.onlyByName()).isTrue());
        // Nothing else here is a container, and the message names every tier that was thought of.
        assertThatThrownBy(() -> Sandboxes.open(Policy.denyAll().isolation(Isolation.CONTAINER)))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageNotContaining("opensandbox");
    }

    @Test
    void withoutAServerItSaysWhatToSet() {
        OpenSandboxTier nowhere = new OpenSandboxTier(Optional::empty);
        assertThat(nowhere.probe())
                .isInstanceOfSatisfying(
                        Availability.Missing.class,
                        missing ->
                                assertThat(missing.remedy())
                                        .contains(Settings.DOMAIN, Settings.KEY, Settings.IMAGE));
        assertThat(nowhere.interpreter(Language.PYTHON, Policy.denyAll())).isEmpty();
        assertThat(nowhere.sweep()).isZero();
        assertThatThrownBy(() -> nowhere.open(Policy.denyAll()))
                .isInstanceOf(NotEnforceable.class)
                .hasMessageContaining(Settings.DOMAIN);
    }

    @Test
    void aProbeTriesABoxAndLeavesNone() {
        assertThat(server.tier().probe())
                .isInstanceOfSatisfying(
                        Availability.Works.class,
                        works ->
                                assertThat(works.controls())
                                        .extracting(Control::name)
                                        .contains("machine", "network", "memory", "cpus"));
        assertThat(server.boxes).isEmpty();
    }

    @Test
    void aServerThatCannotBeReachedIsToldWithWhatToCheck() {
        Settings settings = server.settings();
        server.die();
        assertThat(new OpenSandboxTier(() -> Optional.of(settings)).probe())
                .isInstanceOf(Availability.Missing.class)
                .asString()
                .contains("cannot be reached", Settings.DOMAIN)
                .doesNotContain("null");
    }

    @Test
    void aWrongKeyIsToldAndNotShown() {
        Settings wrong =
                new Settings(server.settings().server(), "wrong-secret", "image", "/tmp/x");
        assertThat(new OpenSandboxTier(() -> Optional.of(wrong)).probe())
                .isInstanceOf(Availability.Missing.class)
                .asString()
                .contains("401")
                .doesNotContain("wrong-secret");
        assertThat(wrong.toString()).doesNotContain("wrong-secret");
    }

    // What a crash left

    @Test
    void aSweepRemovesWhatDeadProcessesOfOursLeftAndNothingElse() throws Exception {
        Lifecycle lifecycle = new Lifecycle(server.settings());
        Map<String, String> dead = new HashMap<>(Marks.own());
        dead.put("glovebox-process", ProcessHandle.current().pid() + "-1");
        Map<String, String> strange = new HashMap<>(dead);
        strange.put("glovebox-owner", "somebody-else");
        String left = lifecycle.create(Policy.denyAll(), dead);
        String foreign = lifecycle.create(Policy.denyAll(), strange);
        String ours = lifecycle.create(Policy.denyAll(), Marks.own());
        assertThat(server.tier().sweep()).isOne();
        assertThat(server.boxes).containsOnlyKeys(foreign, ours).doesNotContainKey(left);
    }

    @Test
    void aLeaseIsRenewed() throws Exception {
        Lifecycle lifecycle = new Lifecycle(server.settings());
        String id = lifecycle.create(Policy.denyAll(), Marks.own());
        lifecycle.renew(id);
        assertThat(server.renewed).containsExactly(id);
    }
}
