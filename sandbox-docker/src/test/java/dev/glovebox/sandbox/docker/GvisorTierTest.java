package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import org.junit.jupiter.api.Test;

final class GvisorTierTest {

    @Test
    void smoke() {
        assertThat(TestEngine.HOST).isPresent();
        Policy policy = Policy.denyAll().isolation(Isolation.GVISOR);
        System.out.println(TestEngine.GVISOR.probe());
        for (int i = 0; i < 2; i++) {
            long t0 = System.nanoTime();
            try (Sandbox box = TestEngine.GVISOR.open(policy)) {
                long t1 = System.nanoTime();
                Result result =
                        box.run(
                                Program.python(
                                        "print(open('/proc/self/status').read(), open('/proc/self/cgroup').read())\nimport os\nprint(os.listdir('/sys/fs/cgroup') if os.path.exists('/sys/fs/cgroup') else 0, os.listdir('/proc'), os.listdir('/proc/self'), open('/proc/1/stat').read())"));
                long t2 = System.nanoTime();
                System.out.println(
                        result.stdout().text() + result.stderr().text() + result.usage());
                box.run(Program.python("print(42)"));
                long t3 = System.nanoTime();
                System.out.println(
                        (t1 - t0) / 1000 + " " + (t2 - t1) / 1000 + " " + (t3 - t2) / 1000);
                assertThat(result.outcome()).isEqualTo(new Outcome.Exited(0));
                t0 = System.nanoTime();
            }
            System.out.println("close " + (System.nanoTime() - t0) / 1000);
        }
    }
}
