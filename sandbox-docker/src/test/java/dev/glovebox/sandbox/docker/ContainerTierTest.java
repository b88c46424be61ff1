package dev.glovebox.sandbox.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.sandbox.Isolation;
import dev.glovebox.sandbox.Language;
import dev.glovebox.sandbox.Outcome;
import dev.glovebox.sandbox.Policy;
import dev.glovebox.sandbox.Program;
import dev.glovebox.sandbox.Result;
import dev.glovebox.sandbox.Sandbox;
import org.junit.jupiter.api.Test;

final class ContainerTierTest {

    @Test
    void smoke() {
        assertThat(TestEngine.HOST).isPresent();
        Policy policy = Policy.denyAll().isolation(Isolation.CONTAINER);
        System.out.println(TestEngine.CONTAINER.probe());
        System.out.println(TestEngine.CONTAINER.interpreter(Language.PYTHON, policy));
        for (int i = 0; i < 5; i++) {
            long t0 = System.nanoTime();
            try (Sandbox box = TestEngine.CONTAINER.open(policy)) {
                long t1 = System.nanoTime();
                Result result = box.run(Program.python("print(42)"));
                long t2 = System.nanoTime();
                System.out.println(result);
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
