package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.Sandboxes;
import dev.glovebox.sandbox.spi.Tier;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** The examples of {@code docs/sandbox.md}. */
class SandboxExamplesTest {

    @Test
    void aWallForEachTenant() {
        assumeTrue(TestEngine.HOST.isPresent(), "no container engine here");
        URI engine = URI.create(TestEngine.HOST.orElseThrow());
        Policy policy = Policy.denyAll();
        Tier acme = new ContainerTier(Settings.ofSystem().withHost(engine));
        try (Sandbox box = Sandboxes.openTier(acme, policy, Language.PYTHON)) {
            show(box.run(Program.python("print(6 * 7)")));
        }
    }

    private static void show(Result result) {
        assertThat(result.stdout().text()).isEqualTo("42\n");
        assertThat(result.receipt().tier()).isEqualTo("container");
    }
}
