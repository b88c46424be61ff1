package dev.glovebox.sandbox.wasm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What boxes took is given back: thousands of them fit into a heap that could not hold one. */
@Timeout(value = 1, unit = TimeUnit.HOURS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SmallHeapTest {

    private static final String ROUNDS = Boolean.getBoolean("glovebox.soak") ? "5000" : "100";

    @Test
    void greedyProgramsInARowNeedNoMoreThanOne() throws Exception {
        Process java =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-Xmx56m",
                                "-XX:MaxMetaspaceSize=96m",
                                "-XX:+ExitOnOutOfMemoryError",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SmallHeap.class.getName(),
                                ROUNDS)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(java.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(java.waitFor()).as(said).isZero();
    }
}
