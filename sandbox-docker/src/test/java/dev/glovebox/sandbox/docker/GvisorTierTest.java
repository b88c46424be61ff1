package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import dev.glovebox.sandbox.spi.Availability;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is special about gVisor: a kernel of its own, which is not the host's. */
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class GvisorTierTest {

    @Test
    void programsTalkToAnotherKernelThanTheHosts() {
        assumeTrue(
                TestEngine.HOST.isPresent()
                        && TestEngine.GVISOR.probe() instanceof Availability.Works,
                "gVisor does not work here");
        Policy policy = Policy.denyAll().isolation(Isolation.GVISOR);
        try (Sandbox box = TestEngine.GVISOR.open(policy)) {
            Result result = box.run(Program.python("print(open('/proc/version').read())"));
            assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
            assertThat(result.stdout().text()).doesNotContain(System.getProperty("os.version"));
            assertThat(result.receipt().tier()).isEqualTo("gvisor");
            assertThat(result.receipt().control("seccomp").orElseThrow().by()).startsWith("gVisor");
        }
    }
}
