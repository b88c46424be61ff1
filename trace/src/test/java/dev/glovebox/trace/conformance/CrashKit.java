package dev.glovebox.trace.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.glovebox.trace.spi.TraceStore;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A process that is killed loses nothing that was acknowledged. */
interface CrashKit extends Medium {

    /** How often it is killed. */
    int KILLS = Boolean.getBoolean("glovebox.soak") ? 200 : 10;

    /** How many runs it writes at once. */
    int RUNS = 8;

    @Test
    default void nothingAcknowledgedIsLostWhenAProcessIsKilled()
            throws IOException, InterruptedException {
        Random random = new Random();
        Map<String, Long> acknowledged = new HashMap<>();
        for (int kill = 0; kill < KILLS; kill++) {
            try (Child child = Child.start("append", address(), Integer.toString(RUNS))) {
                child.awaitLine();
                TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
                child.kill();
                for (String line : child.lines()) {
                    String[] words = line.split(" ");
                    acknowledged.merge(words[0], Long.parseLong(words[1]), Math::max);
                }
            }
            try (TraceStore store = open()) {
                assertThat(acknowledged).isNotEmpty();
                acknowledged.forEach((run, seq) -> {
                    assertThat(Chain.unbroken(store, run)).hasSizeGreaterThan(seq.intValue());
                    store.append(Chain.in(store, run).note("after the crash")).join();
                });
            }
        }
    }
}
