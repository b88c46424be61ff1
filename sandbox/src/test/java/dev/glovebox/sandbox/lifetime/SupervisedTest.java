package dev.glovebox.sandbox.lifetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.glovebox.sandbox.conformance.Walls;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link SupervisedChecks} as a user that may make no cgroups. */
@EnabledOnOs(OS.LINUX)
final class SupervisedTest {

    @TestFactory
    List<DynamicTest> withoutCgroups(@TempDir Path folder) throws Exception {
        Walls.needed("jail");
        List<RemoteTests.Line> lines =
                new OrdinaryUser(folder)
                        .run(
                                SupervisedChecks.class.getPackageName(),
                                SupervisedChecks.class.getName());
        assertThat(lines).isNotEmpty();
        return lines.stream()
                .map(line ->
                        dynamicTest(
                                line.test(),
                                () -> {
                                    switch (line.fate()) {
                                        case PASSED -> {}
                                        case SKIPPED -> abort(line.message());
                                        case FAILED -> throw new AssertionError(line.toString());
                                    }
                                }))
                .toList();
    }
}
